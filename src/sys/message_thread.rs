//! A thread that handles messages in order. Without threads the sender handles them.

#[cfg(target_family = "wasm")]
pub use self::inline::MessageThread;

#[cfg(not(target_family = "wasm"))]
pub use self::threaded::MessageThread;

#[cfg(not(target_family = "wasm"))]
mod threaded {
    use std::{io, thread};

    use crossbeam::channel::{Sender, unbounded};

    use super::super::refused_thread;

    /// When dropped, the thread ends after its last message.
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
            thread::Builder::new().name(name.into()).spawn(work).map_err(refused_thread)?;
            Ok(MessageThread(sender))
        }

        /// Queues a message. Returns at once.
        pub fn send(&self, message: M) {
            // Fails only if the thread has panicked: then nobody can handle the message.
            let _ = self.0.send(message);
        }
    }
}

#[cfg(target_family = "wasm")]
mod inline {
    use std::{fmt, io};

    use parking_lot::Mutex;

    /// Handles each message on the sender's thread.
    pub struct MessageThread<M>(Mutex<Box<dyn FnMut(M) + Send>>);

    impl<M: Send + 'static> MessageThread<M> {
        /// # Errors
        /// Never.
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
