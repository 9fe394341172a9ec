//! The handle of a player's thread.

use std::convert::Infallible;
use std::io;
use std::thread::{Builder, JoinHandle};

use crossbeam::channel::{Receiver, Sender, bounded, unbounded};

use super::protocol::{PlayerCommand, PlayerEvent};
use crate::sys::refused_thread;

/// A player on its own thread. Dropping it waits for the thread to end.
#[derive(Debug)]
pub struct Player {
    /// Disconnected first when the player is dropped, because the thread may be waiting for a silent engine.
    cancel: Option<Sender<Infallible>>,
    /// Disconnected when the player is dropped, which ends the thread.
    commands: Option<Sender<PlayerCommand>>,
    events: Receiver<PlayerEvent>,
    thread: Option<JoinHandle<()>>,
}

/// The other end of a [`Player`]. The thread ends when `commands` disconnects.
#[derive(Debug)]
pub struct PlayerChannels {
    pub commands: Receiver<PlayerCommand>,
    pub events: Sender<PlayerEvent>,
    /// Disconnects when every wait for the engine must end.
    pub cancel: Receiver<Infallible>,
}

impl Player {
    /// Starts the thread of a player.
    ///
    /// # Errors
    /// If the system refuses a thread.
    pub fn spawn(run: impl FnOnce(PlayerChannels) + Send + 'static) -> io::Result<Player> {
        let (cancel, cancelled) = bounded(0);
        let (commands, incoming) = unbounded();
        let (outgoing, events) = unbounded();
        let channels = PlayerChannels { commands: incoming, events: outgoing, cancel: cancelled };
        let builder = Builder::new().name("csa-player".into());
        let thread = builder.spawn(move || run(channels)).map_err(refused_thread)?;
        let (cancel, commands, thread) = (Some(cancel), Some(commands), Some(thread));
        Ok(Player { cancel, commands, events, thread })
    }

    /// Hands over a command. Returns at once.
    pub fn send(&mut self, command: PlayerCommand) {
        if let Some(commands) = &self.commands {
            // If the thread has ended, `events` disconnects.
            let _ = commands.send(command);
        }
    }

    /// The events of the player. The channel disconnects when the player has ended.
    pub fn events(&self) -> &Receiver<PlayerEvent> {
        &self.events
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        (self.cancel, self.commands) = (None, None);
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has nothing left to clean up.
            let _ = thread.join();
        }
    }
}
