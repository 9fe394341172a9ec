use super::*;
use crate::nnue::FeatureSet;

fn with(name: &str, value: &str) -> Recipe {
    let mut recipe = Recipe::default();
    recipe.set(name, value).unwrap_or_else(|error| panic!("{error}"));
    recipe
}

#[test]
fn a_recipe_reads_back_from_its_text() {
    let mut recipe = Recipe::default();
    let text = "architecture = HalfKA_hm2:512x2-15-32 # wide\n\nbucket-mode=K3K3\nlambda = 0.25\n\
                final-lambda = 0.75\nloss = power2.5\nlr-schedule = step4\nlr = 0.000875\n\
                init = /a b/c=d#3.bin\nmax-score = 2500\nseed = 18446744073709551615\nnoisy = true";
    recipe.set_all(text).unwrap();
    assert_eq!((recipe.lambda, recipe.final_lambda), (0.25, Some(0.75)));
    assert_eq!(recipe.init, Some("/a b/c=d#3.bin".into()));
    let mut again = Recipe::default();
    again.set_shown(&recipe.to_string()).unwrap();
    assert_eq!(recipe, again);
    assert_eq!(recipe.differences(&again), []);
}

/// Regression: the rest of such a path was a comment in the checkpoint, so the training could not be resumed.
#[test]
fn a_path_with_a_number_sign_after_a_space_reads_back() {
    let recipe = with("init", "nets/generation #3.bin");
    let mut again = Recipe::default();
    again.set_shown(&recipe.to_string()).unwrap();
    assert_eq!(recipe, again);
}

#[test]
fn every_setting_reads_back_what_it_shows_and_has_a_name_of_its_own() {
    for (at, setting) in SETTINGS.iter().enumerate() {
        assert_eq!(with(setting.name, &setting.default()), Recipe::default());
        assert!(SETTINGS[..at].iter().all(|other| other.name != setting.name));
    }
}

#[test]
fn the_help_names_every_feature_set() {
    let setting = SETTINGS.iter().find(|setting| setting.name == "architecture").unwrap();
    for set in FeatureSet::ALL {
        let name = set.name().trim_end_matches("(Friend)");
        assert!(setting.help.contains(name), "{name}");
    }
}

/// Checkpoints of earlier versions have these names.
#[test]
fn earlier_names_of_settings_are_read() {
    for (earlier, name, value) in
        [("net", "architecture", "HalfKP 64x2-8-8"), ("buckets", "bucket-mode", "k3k3")]
    {
        assert_eq!(with(earlier, value), with(name, value));
    }
}

#[test]
fn an_invalid_setting_is_refused_with_the_reason() {
    let error = |name: &str, value: &str| {
        Recipe::default().set(name, value).expect_err("it cannot be").to_string()
    };
    assert_eq!(error("nets", "1"), "there is no setting \"nets\"");
    assert!(error("lambda", "1.5").starts_with("lambda must be a number from 0 to 1, not \"1.5\""));
    for (name, value) in [
        ("architecture", "K-P 256-32-32"),
        ("architecture", "KQ 256x2-32-32"),
        ("architecture", ""),
        ("lr", "NaN"),
        ("batch", "0"),
        ("loss", "power9"),
        ("lr-schedule", "step0"),
        ("checks", "yes"),
        ("fv-scale", "0"),
    ] {
        error(name, value);
    }
    let text = Recipe::default().set_all("epochs = 2\nepochs").unwrap_err();
    assert_eq!(text, RecipeError::Line(2));
}

#[test]
fn networks_that_the_engine_does_not_read_are_refused() {
    let architecture = |net: &str, buckets: &str| {
        let mut recipe = with("architecture", net);
        recipe.set("bucket-mode", buckets).unwrap();
        recipe.architecture().map(|(architecture, _)| architecture.to_string())
    };
    for (net, buckets, shown) in [
        ("k-p 256x2-32-32", "none", "K+P 256x2-32-32"),
        ("HALFKP(Friend):512x2-8-96", "none", "HalfKP 512x2-8-96"),
        ("HalfKA_hm2 1536x2-15-32", "K3K3", "HalfKA_hm2 1536x2-15-32 in 9 stacks"),
        ("HalfKA_hm2 1536x2-16-32", "one", "HalfKA_hm2 1536x2-16-32 in 1 stack"),
    ] {
        assert_eq!(architecture(net, buckets), Ok(shown.to_owned()));
    }
    for (net, buckets) in [
        ("K-P 250x2-32-32", "none"),
        ("K-P 256x2-15-32", "none"),
        ("K-P 256x2-32-20", "none"),
        ("K-P 256x2-14-32", "k3k3"),
        ("K-P 99999x2-32-32", "none"),
    ] {
        assert!(matches!(architecture(net, buckets), Err(RecipeError::Architecture(_))), "{net}");
    }
    let error = architecture("K-P 256x2-15-32", "k4k4");
    assert!(matches!(error, Err(RecipeError::Buckets(_))), "{error:?}");
}

/// Regression: the error asked for coefficients beside the network, which would not help.
#[test]
fn bucket_modes_by_progress_are_refused_because_they_cannot_be_trained() {
    for mode in ["progress8", "progress8kpabs", "progress8ek", "hand4_k3k3_progress2"] {
        let error = with("bucket-mode", mode).architecture().unwrap_err();
        assert_eq!(error, RecipeError::Progress(mode.into()));
    }
}

/// Regression: with more stacks, samples were evaluated by the stacks of others.
#[test]
fn networks_with_more_stacks_than_a_sample_can_refer_to_are_refused() {
    let stacks = |buckets: &str| {
        let mut recipe = with("architecture", "K-P 64x2-7-8");
        recipe.set("bucket-mode", buckets).unwrap();
        recipe.architecture().map(|(architecture, _)| architecture.stacks())
    };
    assert_eq!(stacks("hand1024_k3k3"), Ok(9_216));
    assert_eq!(stacks("hand256_k9k9"), Ok(20_736));
    assert_eq!(stacks("hand1024_k9k9"), Err(RecipeError::Stacks(82_944)));
}

/// A mirrored sample keeps the stack of the original.
#[test]
fn buckets_that_are_not_mirror_symmetric_are_not_trained_on_mirror_images() {
    for (buckets, is_refused) in [
        ("none", false),
        ("one", false),
        ("hand64_k9k9", false),
        ("k9k9z", true),
        ("k13k13z", true),
        ("hand4_k21k21", true),
        ("k29k29", true),
    ] {
        let mut recipe = with("architecture", "K-P 64x2-8-8");
        recipe.set("bucket-mode", buckets).unwrap();
        let refused = Err(RecipeError::Mirror(buckets.to_owned()));
        let found = recipe.architecture().map(|_| ());
        assert_eq!(found, if is_refused { refused } else { Ok(()) });
        recipe.set("mirror", "false").unwrap();
        assert!(recipe.architecture().is_ok(), "{buckets}");
    }
}
