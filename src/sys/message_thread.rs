//! A thread that handles messages in their order. Where there are no threads, the sender handles them.

#[cfg(target_family = "wasm")]
pub use self::inline::MessageThread;

#[cfg(not(target_family = "wasm"))]
pub use self::threaded::MessageThread;

#[cfg(not(target_family = "wasm"))]
mod threaded {
    use std::{io, thread};

    use crossbeam::channel::{Sender, unbounded};

    /// The thread ends after its last message when this is dropped.
    #[derive(Debug)]
    pub struct MessageThread<M>(Sender<M>);

    impl<M: Send + 'static> MessageThread<M> {
        /// Starts the thread.
        ///
        /// # Errors
        /// If the system refuses a thread.
        pub fn spawn(
            name: &str,
            mut handle: impl FnMut(M) + Send + 'static,
        ) -> io::Result<MessageThread<M>> {
            let (sender, received) = unbounded();
            let work = move || received.into_iter().for_each(&mut handle);
            thread::Builder::new().name(name.into()).spawn(work)?;
            Ok(MessageThread(sender))
        }

        /// Has a message handled after those before it. Returns at once.
        pub fn send(&self, message: M) {
            // Fails only if the thread has ended by a panic: then there is nobody to handle it.
            let _ = self.0.send(message);
        }
    }
}

#[cfg(target_family = "wasm")]
mod inline {
    use std::{fmt, io};

    use parking_lot::Mutex;

    /// Handles each message where it is sent.
    pub struct MessageThread<M>(Mutex<Box<dyn FnMut(M) + Send>>);

    impl<M: Send + 'static> MessageThread<M> {
        /// # Errors
        /// None.
        pub fn spawn(
            _name: &str,
            handle: impl FnMut(M) + Send + 'static,
        ) -> io::Result<MessageThread<M>> {
            Ok(MessageThread(Mutex::new(Box::new(handle))))
        }

        /// Handles a message.
        pub fn send(&self, message: M) {
            (self.0.lock())(message);
        }
    }

    impl<M> fmt::Debug for MessageThread<M> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("MessageThread")
        }
    }
}
