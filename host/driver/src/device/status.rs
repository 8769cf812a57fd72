use bloomline_spec::registers::RegisterMap;

/// What the STATUS register says, field by field; `None` for a field that the kind of filter has not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Status {
    /// The filter takes items; false while it comes out of configuration, reset or clear.
    pub running: bool,
    /// Which half is active, 0 or 1 (0 with one phase); recycling filters.
    pub active_half: Option<u32>,
    /// Epoch of the array (of the active half), from 0 to 15; all kinds but sliding.
    pub epoch: Option<u32>,
    /// Epoch values that no word can bear, free to be issued; all kinds but sliding.
    pub spare_epochs: Option<u32>,
    /// Every word bears the current epoch; all kinds but sliding.
    pub covered: Option<bool>,
    /// The secret of the hash is still the specification's, as public as its seed; filters with a keyed hash.
    pub public_secret: Option<bool>,
    /// Recycles of every cause, modulo 65536: reset does not touch it; recycling filters.
    pub turns: Option<u32>,
    /// Number of the present generation, modulo what its bits hold; sliding-window filters.
    pub generation: Option<u32>,
}

impl Status {
    /// The fields of the register's value, in a filter with these registers.
    pub fn from_bits(map: &RegisterMap, bits: u32) -> Status {
        let fields = map
            .register("filter", "STATUS")
            .map_or(&[][..], |register| &register.fields);
        let value = |name: &str| {
            let field = fields.iter().find(|field| field.name == name)?;
            Some(bits >> field.lowest_bit & (u32::MAX >> (32 - field.width)))
        };
        let flag = |name: &str| value(name).map(|bit| bit == 1);
        Status {
            running: flag("running").unwrap_or_default(),
            active_half: value("active_half"),
            epoch: value("epoch"),
            spare_epochs: value("spare_epochs"),
            covered: flag("covered"),
            public_secret: flag("public_secret"),
            turns: value("turns"),
            generation: value("generation"),
        }
    }
}
