// SPDX-License-Identifier: GPL-3.0-or-later
//! Everything that lies on the device.

use std::sync::Arc;

use cudarc::driver::{CudaContext, CudaSlice, CudaStream, DeviceRepr, ValidAsZeroBits};
use rules::{
    Color,
    chess::{Piece, Square},
};

use super::{
    failed,
    program::{BIAS_PARTS, CHUNK, TILE, folded},
};
use crate::{BackendError, Dataset, Layout, Record, State, Tensor};

/// Learned numbers, their gradients and what the optimiser remembers of them.
pub(super) struct Numbers {
    pub(super) count: usize,
    pub(super) numbers: CudaSlice<f32>,
    pub(super) gradients: CudaSlice<f32>,
    /// At least two, whether the optimiser uses them or not.
    pub(super) slots: Vec<CudaSlice<f32>>,
    /// How many it uses.
    used: usize,
}

/// The buffers; the kernels say what each is for.
pub(super) struct Memory {
    pub(super) records: CudaSlice<u32>,
    pub(super) parts: CudaSlice<u64>,
    pub(super) table: CudaSlice<u32>,
    pub(super) lengths: CudaSlice<u32>,
    pub(super) rows: Numbers,
    /// Bias and layers, one after the other.
    pub(super) small: Numbers,
    pub(super) shared: Numbers,
    pub(super) direct: Numbers,
    pub(super) limits: CudaSlice<f32>,
    pub(super) quanta: CudaSlice<f32>,
    pub(super) shared_limits: CudaSlice<f32>,
    pub(super) effective: CudaSlice<f32>,
    pub(super) small_effective: CudaSlice<f32>,
    pub(super) first_layer: CudaSlice<f32>,
    pub(super) shared_rows: CudaSlice<u32>,
    pub(super) member_starts: CudaSlice<u32>,
    pub(super) members: CudaSlice<u32>,
    pub(super) slots: CudaSlice<u32>,
    /// As many slots without a record.
    pub(super) nothing: CudaSlice<u32>,
    pub(super) chosen: CudaSlice<u32>,
    pub(super) ranks: CudaSlice<u32>,
    pub(super) counts: CudaSlice<u32>,
    pub(super) tile_buckets: CudaSlice<u32>,
    pub(super) bucket_tiles: CudaSlice<u32>,
    pub(super) seeds: CudaSlice<u32>,
    pub(super) lists: CudaSlice<u32>,
    pub(super) list_lengths: CudaSlice<u32>,
    pub(super) targets: CudaSlice<f32>,
    pub(super) row_counts: CudaSlice<u32>,
    pub(super) block_views: CudaSlice<u32>,
    pub(super) block_tasks: CudaSlice<u32>,
    pub(super) row_starts: CudaSlice<u32>,
    pub(super) row_tasks: CudaSlice<u32>,
    pub(super) cursors: CudaSlice<u32>,
    pub(super) tasks: CudaSlice<u32>,
    pub(super) max_tasks: usize,
    pub(super) sorted: CudaSlice<u32>,
    pub(super) ordered: CudaSlice<u32>,
    /// How many rows have many views, then which.
    pub(super) many: CudaSlice<u32>,
    pub(super) sums: CudaSlice<f32>,
    /// What the direct weights say.
    pub(super) said: CudaSlice<f32>,
    /// Outputs, or in training their slopes.
    pub(super) outputs: CudaSlice<f32>,
    pub(super) layer_slopes: CudaSlice<f32>,
    pub(super) view_slopes: CudaSlice<f32>,
    pub(super) partial: CudaSlice<f32>,
    pub(super) direct_partial: CudaSlice<f32>,
    pub(super) bias_parts: CudaSlice<f32>,
    pub(super) layer_parts: CudaSlice<f32>,
    pub(super) head_parts: CudaSlice<f32>,
    /// Tiles of a part of the first layer's gradients.
    pub(super) range: usize,
    /// The losses by tile.
    pub(super) total: CudaSlice<f64>,
    /// Records to be evaluated.
    pub(super) check: CudaSlice<u32>,
}

/// Parts of the first layer's gradients if there is one bucket.
const LAYER_PARTS: usize = 64;

/// Slots of a batch: every bucket begins with a whole tile, and groups are not torn apart.
pub(super) fn slot_count(batch: usize, buckets: usize, group: usize) -> usize {
    let more = if buckets > 1 { buckets } else { 0 };
    TILE * (batch.div_ceil(TILE / group * group) + more)
}

impl Memory {
    /// Allocates everything and copies what is known.
    pub(super) fn new(
        context: &Arc<CudaContext>,
        stream: &Arc<CudaStream>,
        layout: &Layout,
        data: &Dataset,
        state: &State,
        batch: usize,
        rounded: bool,
    ) -> Result<Memory, BackendError> {
        let (arch, features) = (&layout.arch, &layout.features);
        let slots = slot_count(batch, arch.buckets, data.group());
        let tiles = slots / TILE;
        let range = tiles.div_ceil(LAYER_PARTS);
        let first_layer = arch.activations() * arch.layers()[0].1;
        let (views, active) = (2 * slots, features.max_active());
        let max_tasks = arch.inputs + (views * active).div_ceil(CHUNK);
        check_room(context, layout, data, views, active, max_tasks)?;

        let small_tensors = Layout::BIAS..2 + 2 * layout.layers() * arch.buckets;
        let single = |tensor: Option<usize>| tensor.map_or(0..0, |tensor| tensor..tensor + 1);
        let shared_tensors = single(layout.shared());
        let (table, lengths) = table(layout);
        let parts: Vec<u64> =
            data.parts().iter().flat_map(|part| [part.end, part.first as u64, part.len as u64]).collect();
        let folded = folded(layout, rounded);
        let filled = arch.layers()[0].1.next_multiple_of(4);
        let small = numbers(stream, state, small_tensors.clone())?;
        let shared = numbers(stream, state, shared_tensors.clone())?;
        let direct = numbers(stream, state, single(layout.direct()))?;
        let head = (small.count - arch.width) / arch.buckets;
        // With one bucket all tiles belong to it.
        let mut bucket_tiles = vec![0; arch.buckets + 1];
        bucket_tiles[arch.buckets] = tiles as u32;
        let each = |value: fn(&Tensor) -> f32, range: std::ops::Range<usize>| -> Vec<f32> {
            layout.tensors[range].iter().flat_map(|tensor| vec![value(tensor); tensor.len]).collect()
        };
        let factor = layout.factor.as_ref();
        Ok(Memory {
            records: upload_records(stream, data.records())?,
            parts: upload(stream, &parts)?,
            table: upload(stream, &table)?,
            lengths: upload(stream, &lengths)?,
            rows: numbers(stream, state, Layout::ROWS..Layout::ROWS + 1)?,
            limits: upload(stream, &each(|tensor| tensor.limit, small_tensors.clone()))?,
            quanta: upload(stream, &each(|tensor| tensor.quantum, small_tensors))?,
            shared_limits: upload(stream, &each(|tensor| tensor.limit, shared_tensors))?,
            effective: zeros(stream, if folded { arch.inputs * arch.width } else { 0 })?,
            small_effective: zeros(stream, small.count)?,
            first_layer: zeros(stream, arch.buckets * arch.activations() * filled)?,
            shared_rows: upload(stream, factor.map_or(&[], |factor| &factor.of_row))?,
            member_starts: upload(stream, factor.map_or(&[], |factor| &factor.starts))?,
            members: upload(stream, factor.map_or(&[], |factor| &factor.rows))?,
            head_parts: zeros(stream, tiles * (head - first_layer))?,
            small,
            shared,
            direct_partial: zeros(stream, if arch.psqt { max_tasks * arch.buckets } else { 0 })?,
            direct,
            slots: upload(stream, &vec![u32::MAX; slots])?,
            nothing: upload(stream, &vec![u32::MAX; slots])?,
            chosen: zeros(stream, batch)?,
            ranks: zeros(stream, batch)?,
            counts: zeros(stream, 16 * batch.div_ceil(256))?,
            tile_buckets: zeros(stream, tiles)?,
            bucket_tiles: upload(stream, &bucket_tiles)?,
            seeds: zeros(stream, slots)?,
            lists: zeros(stream, views * active)?,
            list_lengths: zeros(stream, views)?,
            targets: zeros(stream, slots)?,
            row_counts: zeros(stream, arch.inputs)?,
            block_views: zeros(stream, arch.inputs.div_ceil(1024))?,
            block_tasks: zeros(stream, arch.inputs.div_ceil(1024))?,
            row_starts: zeros(stream, arch.inputs + 1)?,
            row_tasks: zeros(stream, arch.inputs + 1)?,
            cursors: zeros(stream, arch.inputs)?,
            tasks: zeros(stream, max_tasks)?,
            max_tasks,
            sorted: zeros(stream, views * active)?,
            ordered: zeros(stream, views * active)?,
            many: zeros(stream, 1 + arch.inputs)?,
            sums: zeros(stream, views * arch.width)?,
            said: zeros(stream, slots)?,
            outputs: zeros(stream, slots)?,
            layer_slopes: zeros(stream, slots * arch.layers()[0].1)?,
            view_slopes: zeros(stream, views * arch.width)?,
            partial: zeros(stream, max_tasks * arch.width)?,
            bias_parts: zeros(stream, BIAS_PARTS * arch.width)?,
            layer_parts: zeros(stream, (tiles.div_ceil(range) + arch.buckets) * first_layer)?,
            range,
            total: zeros(stream, tiles)?,
            check: zeros(stream, 8 * batch)?,
        })
    }

    /// Copies records to be evaluated and their slots.
    pub(super) fn upload_check(
        &mut self,
        stream: &Arc<CudaStream>,
        records: &[Record],
        slots: &[u32],
        buckets: &[u32],
    ) -> Result<(), BackendError> {
        let copied = failed("copying positions");
        stream.memcpy_htod(&words(records), &mut self.check).map_err(&copied)?;
        stream.memcpy_htod(slots, &mut self.slots).map_err(&copied)?;
        stream.memcpy_htod(buckets, &mut self.tile_buckets).map_err(&copied)
    }

    /// Empties the slots after an evaluation.
    pub(super) fn restore_slots(
        &mut self,
        stream: &Arc<CudaStream>,
        buckets: usize,
    ) -> Result<(), BackendError> {
        stream.memcpy_dtod(&self.nothing, &mut self.slots).map_err(failed("clearing slots"))?;
        if buckets == 1 {
            stream.memset_zeros(&mut self.tile_buckets).map_err(failed("clearing tiles"))?;
        }
        Ok(())
    }

    /// Reads everything back that is learned.
    pub(super) fn state(
        &self,
        stream: &Arc<CudaStream>,
        layout: &Layout,
        steps: u64,
    ) -> Result<State, BackendError> {
        let read =
            |buffer: &CudaSlice<f32>| stream.clone_dtoh(buffer).map_err(failed("reading what was learned"));
        let collect =
            |pick: &dyn Fn(&Numbers) -> Option<&CudaSlice<f32>>| -> Result<Vec<Vec<f32>>, BackendError> {
                let mut all = Vec::new();
                for part in [&self.rows, &self.small, &self.shared, &self.direct] {
                    if let Some(buffer) = pick(part).filter(|_| part.count > 0) {
                        all.extend(read(buffer)?);
                    }
                }
                let mut rest = all.as_slice();
                Ok(layout
                    .tensors
                    .iter()
                    .map(|tensor| {
                        let (list, after) = rest.split_at(tensor.len);
                        rest = after;
                        list.to_vec()
                    })
                    .collect())
            };
        let numbers = collect(&|part| Some(&part.numbers))?;
        let slots = (0..self.rows.used)
            .map(|slot| collect(&|part| part.slots.get(slot)))
            .collect::<Result<_, _>>()?;
        Ok(State { steps, numbers, slots })
    }
}

fn upload<T: DeviceRepr + ValidAsZeroBits>(
    stream: &Arc<CudaStream>,
    data: &[T],
) -> Result<CudaSlice<T>, BackendError> {
    // Nothing at all cannot be allocated.
    if data.is_empty() {
        return zeros(stream, 1);
    }
    stream.clone_htod(data).map_err(failed("copying to the device"))
}

/// Copies the data set piece by piece: as words it needs as much memory again.
fn upload_records(stream: &Arc<CudaStream>, records: &[Record]) -> Result<CudaSlice<u32>, BackendError> {
    const PIECE: usize = 1 << 20;
    let mut all = zeros(stream, Record::SIZE / 4 * records.len())?;
    let mut start = 0;
    for piece in records.chunks(PIECE) {
        let words = words(piece);
        let mut to = all.slice_mut(start..start + words.len());
        stream.memcpy_htod(&words, &mut to).map_err(failed("copying the data set"))?;
        start += words.len();
    }
    Ok(all)
}

fn zeros<T: DeviceRepr + ValidAsZeroBits>(
    stream: &Arc<CudaStream>,
    count: usize,
) -> Result<CudaSlice<T>, BackendError> {
    stream.alloc_zeros(count.max(1)).map_err(failed("allocating memory"))
}

/// Tensors one after the other in one buffer.
fn numbers(
    stream: &Arc<CudaStream>,
    state: &State,
    tensors: std::ops::Range<usize>,
) -> Result<Numbers, BackendError> {
    let flat = |lists: &[Vec<f32>]| lists[tensors.clone()].concat();
    let numbers = flat(&state.numbers);
    let count = numbers.len();
    let mut slots = Vec::new();
    for slot in &state.slots {
        slots.push(upload(stream, &flat(slot))?);
    }
    let used = slots.len();
    while slots.len() < 2 {
        slots.push(zeros(stream, count)?);
    }
    Ok(Numbers { count, numbers: upload(stream, &numbers)?, gradients: zeros(stream, count)?, slots, used })
}

/// Records as words of 32 bits.
fn words(records: &[Record]) -> Vec<u32> {
    records
        .iter()
        .flat_map(|record| record.0.as_chunks::<4>().0)
        .map(|bytes| u32::from_le_bytes(*bytes))
        .collect()
}

/// The rows by own king, piece and square as the side to move sees them, and how many each piece has.
fn table(layout: &Layout) -> (Vec<u32>, Vec<u32>) {
    let (features, stride) = (&layout.features, layout.features.max_rows());
    let mut table = vec![0; 64 * 12 * 64 * stride];
    let mut lengths = vec![0; 12];
    for king in Square::all() {
        let sight = features.seen_by(Color::White, king);
        for piece in Piece::ALL {
            for square in Square::all() {
                let rows = sight.rows(piece, square);
                let at = ((king.index() * 12 + piece.index()) * 64 + square.index()) * stride;
                table[at..at + rows.len()].copy_from_slice(rows);
                lengths[piece.index()] = rows.len() as u32;
            }
        }
    }
    (table, lengths)
}

/// Compares what is needed with what is free, before anything is allocated.
fn check_room(
    context: &Arc<CudaContext>,
    layout: &Layout,
    data: &Dataset,
    views: usize,
    active: usize,
    max_tasks: usize,
) -> Result<(), BackendError> {
    let (free, _) = context.mem_get_info().map_err(failed("asking for free memory"))?;
    let floats = 5 * layout.parameters() + (2 * views + max_tasks) * layout.arch.width + 3 * views * active;
    let needed = (4 * floats + Record::SIZE * data.records().len()) as u64;
    match needed < free as u64 {
        true => Ok(()),
        false => Err(BackendError::Memory { needed, free: free as u64 }),
    }
}
