use super::Device;
use crate::error::DriverError;
use crate::ports::{host_port, PortLink};
use crate::transport::Transport;
use bloomline_spec::host_port::{HostAuth, HostBinding};
use bloomline_spec::registers::address;

impl<T: Transport> Device<T> {
    /// What the PHYs of a line card tell of their links, by port, all of one instant. Traffic: one read of LINK.
    ///
    /// # Errors
    /// [`DriverError::NotThere`] for any but a line card, or a failed access.
    pub fn links(&self) -> Result<Vec<PortLink>, DriverError> {
        self.needs("link", address::LINK, "Ethernet port")?;
        Ok(PortLink::all(self.session("link").read(address::LINK)?))
    }

    /// Where a line card's registers are reached over Ethernet, and who it is there; `None` without a host port. Traffic: one
    /// read of HOST, and with a host port one of each of HOST_IP, HOST_MAC_LO and HOST_MAC_HI.
    ///
    /// # Errors
    /// [`DriverError::NotThere`] for any but a line card, or a failed access.
    pub fn host_port(&self) -> Result<Option<HostBinding>, DriverError> {
        self.needs("host port", address::HOST, "Ethernet port")?;
        let mut session = self.session("host port");
        host_port(&mut *session.link, session.access).map_err(DriverError::while_(session.doing))
    }

    /// Whether the device has a host port that asks for tags, so that [`Device::load_host_key`] can load a secret. Sends nothing.
    pub fn takes_host_key(&self) -> bool {
        self.map.at(address::HOST_KEY).is_some()
    }

    /// Loads the secret under which a line card's host port takes requests; 0 locks it. Load it over the UART: over Ethernet everyone on the way reads it. It is never
    /// read back. Another one at each power-up and for each card: the count of accesses begins anew at power-up, so under the same secret requests that were
    /// recorded before, or at another card, are taken again. Traffic: a write of each of HOST_KEY_0 to 3.
    ///
    /// # Errors
    /// [`DriverError::NotThere`] without a host port that asks for tags, or a failed access.
    pub fn load_host_key(&self, secret: u128) -> Result<(), DriverError> {
        if !self.takes_host_key() {
            let has = match self.design.host() {
                Some(host) => format!("packet.host.auth is {:?}", host.auth.word()),
                None => "the specification has no [packet.host]".to_owned(),
            };
            let next = format!(
                "{has}: a key needs a line card with [packet.host] and auth = {:?} in it, and a new build",
                HostAuth::SipHash24.word()
            );
            return Err(self.missing("host key", "host port that asks for tags", next));
        }
        let mut session = self.session("host key");
        for word in 0..4 {
            session.write(address::HOST_KEY + 4 * word, (secret >> (32 * word)) as u32)?;
        }
        Ok(())
    }

    /// That the device has this Ethernet port.
    pub(super) fn port(&self, doing: &'static str, port: usize) -> Result<(), DriverError> {
        self.place(doing, "Ethernet port", port, self.design.ports())
    }

    /// That `got` is one of so many of what the device has.
    pub(super) fn place(
        &self,
        doing: &'static str,
        what: &'static str,
        got: usize,
        count: usize,
    ) -> Result<(), DriverError> {
        match count.checked_sub(1) {
            None => Err(self.not_there(doing, what)),
            Some(most) if got > most => Err(DriverError::Place {
                doing,
                what,
                most,
                got,
            }),
            Some(_) => Ok(()),
        }
    }
}
