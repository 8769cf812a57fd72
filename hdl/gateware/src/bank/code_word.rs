//! Code words of the error-correcting code of memory, where they are read and written without an [`EccPort`](crate::bank::EccPort).

use crate::prelude::*;
use bloomline_spec::ecc;

/// The payload bits that check bit `bit` is the sum of.
pub(super) fn check_row(payload_bits: usize, bit: usize) -> Const {
    let columns = ecc::columns(payload_bits as u32);
    let inputs = columns[..payload_bits].iter().rev();
    let row = inputs.fold(0, |row, column| row << 1 | u128::from(column >> bit & 1));
    Const::new(row, payload_bits)
}

/// The column of each bit of a code word.
pub(super) fn columns(payload_bits: usize) -> Vec<Const> {
    let checks = checks(payload_bits);
    let columns = ecc::columns(payload_bits as u32);
    let of = |&column: &u32| Const::new(column.into(), checks);
    columns.iter().map(of).collect()
}

/// Check bits of a payload.
pub(super) fn checks(payload_bits: usize) -> usize {
    ecc::check_bits(payload_bits as u32) as usize
}

block! {
    /// Makes the check bits of a payload. Combinational. Source: Hsiao 1970 (`bloomline_spec::ecc`).
    pub struct CheckBits {
        about: About = About::new("check_bits", format!("The {checks} check bits of {payload_bits} bits.\nSource: Hsiao, IBM J. Res. Dev. 14 (1970).")),
        pub payload: Bus<In> = Bus::new(payload_bits),
        pub check: Bus<Out> = Bus::new(checks).doc("its check bits"),
        row: Vec<Const> = (0..checks).map(|bit| check_row(payload_bits, bit)).collect(),
        checks: usize = checks,
    }

    /// Of a payload of so many bits.
    pub fn new(payload_bits: usize) {
        let checks = checks(payload_bits);
    }
}

impl Logic for CheckBits {
    #[hdl_gen]
    fn update(&mut self) {
        for j in 0..self.checks {
            self.check
                .set_bit(j, (self.payload.val() & self.row[j].val()).xor());
        }
    }
}

block! {
    /// Finds the syndrome of a code word: 0 of a sound one. Combinational.
    pub struct CodeSyndrome {
        about: About = About::new("code_syndrome", "The syndrome of a code word: 0 if no bit of it is wrong."),
        pub code_word: Bus<In> = Bus::new(payload_bits + checks).doc("{check, payload}"),
        pub syndrome: Bus<Out> = Bus::new(checks),
        check_bits: CheckBits = CheckBits::new(payload_bits),
        payload_bits: usize = payload_bits,
        checks: usize = checks,
    }

    /// Of words with a payload of so many bits.
    pub fn new(payload_bits: usize) {
        let checks = checks(payload_bits);
    }
}

impl Logic for CodeSyndrome {
    #[hdl_gen]
    fn update(&mut self) {
        self.check_bits.payload.next = bits_to(self.code_word.val(), self.payload_bits);
        self.syndrome.next = self.check_bits.check.val()
            ^ bits_to(self.code_word.val() >> self.payload_bits, self.checks);
    }
}

block! {
    /// Inverts the bit of a code word that its syndrome names. Combinational.
    pub struct CodeCorrection {
        about: About = About::new("code_correction", "The code word with the bit inverted that its syndrome names, if it names one."),
        pub syndrome: Bus<In> = Bus::new(checks),
        pub code_word: Bus<In> = Bus::new(payload_bits + checks).doc("{check, payload}"),
        pub word: Bus<Out> = Bus::new(payload_bits + checks).doc("the same, corrected"),
        pub corrected: Wire<Out> = Wire::default().doc("a bit of it was flipped, and is right"),
        pub uncorrectable: Wire<Out> = Wire::default().doc("more than one were, and it is as it was stored"),
        column: Vec<Const> = columns(payload_bits),
        flip: Bus<Local> = Bus::new(payload_bits + checks),
        code_bits: usize = payload_bits + checks,
    }

    /// Of words with a payload of so many bits.
    pub fn new(payload_bits: usize) {
        let checks = checks(payload_bits);
    }
}

impl Logic for CodeCorrection {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..self.code_bits {
            self.flip
                .set_bit(i, self.syndrome.val() == self.column[i].val());
        }
        self.word.next = self.code_word.val() ^ self.flip.val();
        self.corrected.next = self.flip.val().any();
        self.uncorrectable.next = self.syndrome.val().any() && !self.flip.val().any();
    }
}

block! {
    /// Reads a code word in two clocks: corrects one flipped bit and detects two.
    ///
    /// ```text
    /// clock   r                    r + 1      r + 2
    ///       | code word, syndrome | correct | payload, corrected, uncorrectable
    /// ```
    /// New inputs in every clock. No reset.
    pub struct CodeRead {
        about: About = About::new("code_read", "The payload of a code word two clocks later: one flipped bit is corrected, two are detected."),
        pub clock: Signal<In, Clock>,
        pub code_word: Bus<In> = Bus::new(payload_bits + checks).doc("{check, payload}"),
        pub payload: Bus<Out> = Bus::new(payload_bits).doc("two clocks later"),
        pub corrected: Wire<Out> = Wire::default().doc("a bit of it was flipped, and is right"),
        pub uncorrectable: Wire<Out> = Wire::default().doc("more than one were, and it is as it was stored"),
        find: CodeSyndrome = CodeSyndrome::new(payload_bits),
        correction: CodeCorrection = CodeCorrection::new(payload_bits),
        syndrome: Reg = Reg::new(checks),
        word: Reg = Reg::new(payload_bits + checks),
        payload_r: Reg = Reg::new(payload_bits),
        corrected_r: Flag,
        uncorrectable_r: Flag,
        payload_bits: usize = payload_bits,
    }

    /// Of words with a payload of so many bits.
    pub fn new(payload_bits: usize) {
        let checks = checks(payload_bits);
    }
}

impl Logic for CodeRead {
    #[hdl_gen]
    fn update(&mut self) {
        self.find.code_word.next = self.code_word.val();
        self.syndrome.d.next = self.find.syndrome.val();
        self.word.d.next = self.code_word.val();
        self.correction.syndrome.next = self.syndrome.q.val();
        self.correction.code_word.next = self.word.q.val();
        self.payload_r.d.next = bits_to(self.correction.word.val(), self.payload_bits);
        self.corrected_r.d.next = self.correction.corrected.val();
        self.uncorrectable_r.d.next = self.correction.uncorrectable.val();
        self.payload.next = self.payload_r.q.val();
        self.corrected.next = self.corrected_r.q.val();
        self.uncorrectable.next = self.uncorrectable_r.q.val();
    }
}
