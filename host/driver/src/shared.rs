use crate::checking::Checking;
use crate::error::TransportError;
use crate::transport::{Transport, Within};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// A transport for several threads: each clone is a client, accesses go one at a time, a burst is not interrupted.
///
/// Waiting for the others counts against an access's own time.
#[derive(Debug)]
pub struct Shared<T> {
    inner: Arc<Inner<T>>,
}

#[derive(Debug)]
struct Inner<T> {
    /// The transport while nobody uses it.
    free: Mutex<Option<T>>,
    freed: Condvar,
    checking: Option<Checking>,
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        let inner = Arc::clone(&self.inner);
        Shared { inner }
    }
}

impl<T: Transport> Shared<T> {
    /// The first client.
    pub fn new(transport: T) -> Shared<T>
    where
        T: Transport,
    {
        let inner = Inner {
            checking: transport.checking(),
            free: Mutex::new(Some(transport)),
            freed: Condvar::new(),
        };
        Shared {
            inner: Arc::new(inner),
        }
    }

    /// Takes the transport for one access; what is left of `within` then is the access's.
    fn with<R>(
        &self,
        address: u32,
        within: Within,
        access: impl FnOnce(&mut T, Within) -> Result<R, TransportError>,
    ) -> Result<R, TransportError> {
        let start = Instant::now();
        let timeout = TransportError::Timeout { address, within };
        let (mut free, _) = self
            .inner
            .freed
            .wait_timeout_while(self.lock(), within, |free| free.is_none())
            .unwrap_or_else(PoisonError::into_inner);
        let Some(transport) = free.take() else {
            return Err(match within.is_zero() {
                true => timeout,
                false => TransportError::Starved { address, within },
            });
        };
        drop(free);
        let mut lent = Lent {
            inner: &self.inner,
            transport: Some(transport),
        };
        let left = within.saturating_sub(start.elapsed());
        match &mut lent.transport {
            Some(transport) if !left.is_zero() => access(transport, left),
            _ => Err(timeout),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<T>> {
        // The lock is held for a take or a put only, so a poisoned one holds nothing half done.
        self.inner
            .free
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// Gives the transport back, also when an access panics.
struct Lent<'a, T> {
    inner: &'a Inner<T>,
    transport: Option<T>,
}

impl<T> Drop for Lent<'_, T> {
    fn drop(&mut self) {
        *self
            .inner
            .free
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = self.transport.take();
        self.inner.freed.notify_one();
    }
}

impl<T: Transport> Transport for Shared<T> {
    fn checking(&self) -> Option<Checking> {
        self.inner.checking
    }

    fn read(&mut self, address: u32, within: Within) -> Result<u32, TransportError> {
        self.with(address, within, |transport, left| {
            transport.read(address, left)
        })
    }

    fn write(&mut self, address: u32, value: u32, within: Within) -> Result<(), TransportError> {
        self.with(address, within, |transport, left| {
            transport.write(address, value, left)
        })
    }

    fn burst(
        &mut self,
        address: u32,
        values: &mut [u32],
        within: Within,
    ) -> Result<(), TransportError> {
        self.with(address, within, |transport, left| {
            transport.burst(address, values, left)
        })
    }

    fn write_burst(
        &mut self,
        address: u32,
        values: &[u32],
        within: Within,
    ) -> Result<(), TransportError> {
        self.with(address, within, |transport, left| {
            transport.write_burst(address, values, left)
        })
    }

    fn read_then_write(
        &mut self,
        read: u32,
        values: &mut [u32],
        write: u32,
        words: &[u32],
        within: Within,
    ) -> Result<(), TransportError> {
        self.with(read, within, |transport, left| {
            transport.read_then_write(read, values, write, words, left)
        })
    }
}
