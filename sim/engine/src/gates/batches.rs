//! Gates in batches of one kind, for any processor.
//!
//! A register's bit is overwritten in place once everything that reads its old value has run.

use super::lower::Lowered;
use super::net::{Plane, NONE};
use super::order::{count, schedule, Step};
use super::{Batch, Gate, GateCode, GateProgram, Lookup, ReadCode, Slots, WriteCode};
use std::collections::HashMap;

/// Orders the gates and gives them slots.
pub(crate) fn batches(lowered: &Lowered) -> GateProgram {
    let net = &lowered.net;
    let uses = count(net, &lowered.roots());
    let mut steps: Vec<Step> = vec![];
    for (plane, node) in net.nodes.iter().enumerate() {
        if uses[plane] > 0 && node.gate != Gate::Leaf {
            steps.push(Step {
                gate: node.gate,
                index: 0,
                results: vec![plane as Plane],
                operands: node.operands().collect(),
                after: vec![],
            });
        }
    }
    let mut special = |gate, index: usize, results, operands, after| {
        steps.push(Step {
            gate,
            index: index as u32,
            results,
            operands,
            after,
        });
        steps.len() - 1
    };
    let mut address_steps = vec![];
    for (index, lookup) in lowered.lookups.iter().enumerate() {
        let operands = lookup.address.clone();
        address_steps.push(special(Gate::Address, index, vec![], operands, vec![]));
    }
    let mut readers: Vec<Vec<usize>> = vec![vec![]; lowered.homes.len()];
    for (index, read) in lowered.reads.iter().enumerate() {
        let after = vec![address_steps[read.lookup as usize]];
        let step = special(Gate::Read, index, read.data.clone(), vec![], after);
        readers[lowered.reads_of[index] as usize].push(step);
    }
    for (index, write) in lowered.writes.iter().enumerate() {
        let after = &mut readers[lowered.writes_of[index] as usize];
        let operands = [
            vec![write.enable],
            write.address.clone(),
            write.data.concat(),
        ];
        let step = special(Gate::Write, index, vec![], operands.concat(), after.clone());
        after.push(step);
    }
    let mut slots = Slots::new(lowered);
    // Outputs are copied, so that registers among them can be overwritten.
    let mut names = net.nodes.len() as Plane;
    for (planes, word) in lowered.outputs.iter().zip(&slots.outputs) {
        for (&plane, &slot) in planes.iter().zip(word) {
            special(Gate::Copy, 0, vec![names], vec![plane], vec![]);
            slots.of.push(slot);
            names += 1;
        }
    }
    // A register's next value: its gate writes it to the register's slot, or a copy does.
    let made: Vec<bool> = (0..names as usize)
        .map(|p| net.nodes.get(p).is_some_and(|n| n.gate != Gate::Leaf))
        .collect();
    let mut place: HashMap<Plane, Plane> = HashMap::new();
    for (own, next) in &lowered.registers {
        for (&next, &q) in next.iter().zip(own) {
            if next == q {
                continue;
            }
            if made[next as usize] && !place.contains_key(&next) {
                place.insert(next, q);
            } else {
                special(Gate::Copy, 0, vec![names], vec![next], vec![]);
                place.insert(names, q);
                slots.of.push(NONE);
                names += 1;
            }
        }
    }
    let (order, late) = schedule(&steps, &place, names);

    let mut moves = vec![];
    for (&plane, &q) in &place {
        let target = slots.of[q as usize];
        slots.of[plane as usize] = target;
        if late.contains(&plane) {
            moves.push((target, slots.give(&[plane])));
        }
    }
    moves.sort_unstable();
    let mut last = vec![0usize; names as usize];
    for (at, &step) in order.iter().enumerate() {
        for &operand in &steps[step].operands {
            last[operand as usize] = at;
        }
    }
    let mut free: Vec<u32> = vec![];
    let (mut code, mut batches): (Vec<GateCode>, Vec<Batch>) = (vec![], vec![]);
    let mut temporary = vec![false; names as usize];
    for (at, &index) in order.iter().enumerate() {
        let step = &steps[index];
        for &result in &step.results {
            if slots.of[result as usize] == NONE {
                temporary[result as usize] = true;
                slots.of[result as usize] = free.pop().unwrap_or_else(|| slots.fresh());
            }
        }
        // Freed after the results have theirs: a gate may read what it overwrites, a batch of planes may not.
        let mut seen = vec![];
        for &operand in &step.operands {
            if temporary[operand as usize]
                && last[operand as usize] == at
                && !seen.contains(&operand)
            {
                free.push(slots.of[operand as usize]);
                seen.push(operand);
            }
        }
        match batches.last_mut() {
            Some(batch) if batch.gate == step.gate => batch.to += 1,
            _ => batches.push(Batch {
                gate: step.gate,
                from: at as u32,
                to: at as u32 + 1,
            }),
        }
        let operand = |n: usize| step.operands.get(n).map_or(0, |p| slots.of[*p as usize]);
        code.push(match step.gate {
            Gate::Address | Gate::Read | Gate::Write => [step.index, 0, 0, 0],
            _ => [
                slots.of[step.results[0] as usize],
                operand(0),
                operand(1),
                operand(2),
            ],
        });
    }
    let lookups = lowered.lookups.iter().map(|l| Lookup {
        store: l.store,
        address: slots.list(&l.address),
    });
    let reads = lowered.reads.iter().map(|read| ReadCode {
        data: slots.list(&read.data),
        ..*read
    });
    let writes = lowered.writes.iter().map(|write| WriteCode {
        enable: slots.of[write.enable as usize],
        address: slots.list(&write.address),
        data: write.data.iter().map(|limb| slots.list(limb)).collect(),
        ..*write
    });
    GateProgram {
        code,
        batches,
        lookups: lookups.collect(),
        reads: reads.collect(),
        writes: writes.collect(),
        stores: lowered.stores.clone(),
        homes: lowered.homes.clone(),
        late: moves,
        slots: slots.top as usize,
        registers: slots.registers,
        inputs: slots.inputs,
        outputs: slots.outputs,
        machine: None,
        passes: None,
    }
}
