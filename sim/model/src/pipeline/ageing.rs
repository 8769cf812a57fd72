use bloomline_spec::TICK_CLOCKS;

/// How long the active half has been active, in ticks.
#[derive(Debug, Clone, Default)]
pub(super) struct Ageing {
    tick: u32,
    age: u32,
    due: bool,
    /// Age of a half that has just become active: 0.
    first: u32,
}

impl Ageing {
    /// As if every half were so many ticks old when it becomes active.
    pub fn set_past(&mut self, ticks: u32) {
        (self.age, self.first) = (ticks, ticks);
    }

    /// The active half has reached the maximum age.
    pub fn due(&self) -> bool {
        self.due
    }

    /// One clock without reset; `recycled` is what the slot in the decision stage does.
    pub fn clock(&mut self, max_age: u32, recycled: bool) {
        self.due = max_age > 0 && self.age >= max_age;
        if recycled {
            self.age = self.first;
        } else if self.tick == TICK_CLOCKS - 1 {
            self.age = self.age.saturating_add(1);
        }
        self.tick = (self.tick + 1) % TICK_CLOCKS;
    }

    /// A clock with reset.
    pub fn reset(&mut self) {
        *self = Ageing {
            age: self.first,
            first: self.first,
            ..Ageing::default()
        };
    }
}
