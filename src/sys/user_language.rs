//! The language in which the system speaks to its user, where it can be asked for that: on Windows.
//! Elsewhere the environment says it.

/// Whether that is Japanese; false where the system cannot be asked.
#[cfg(windows)]
pub fn speaks_japanese() -> bool {
    #[link(name = "kernel32")]
    unsafe extern "system" {
        // It takes nothing and cannot fail.
        safe fn GetUserDefaultUILanguage() -> u16;
    }
    is_japanese(GetUserDefaultUILanguage())
}

/// Whether that is Japanese; false where the system cannot be asked.
#[cfg(not(windows))]
pub fn speaks_japanese() -> bool {
    false
}

/// Whether a language identifier of Windows is one of Japanese. Its lower ten bits are the language,
/// those above the country.
#[cfg(any(windows, test))]
fn is_japanese(identifier: u16) -> bool {
    const LANGUAGE: u16 = 0x3FF;
    const JAPANESE: u16 = 0x11;
    identifier & LANGUAGE == JAPANESE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn japanese_is_told_from_other_languages_whatever_the_country() {
        assert!(is_japanese(0x0411) && is_japanese(0x0011));
        // English of the United States, Korean, Chinese of Taiwan.
        assert!([0x0409, 0x0412, 0x0404].into_iter().all(|other| !is_japanese(other)));
    }
}
