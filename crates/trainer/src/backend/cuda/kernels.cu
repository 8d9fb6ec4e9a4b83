// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of the CUDA backend, compiled at run time for one network.
//
//   sample -> (arrange) -> unpack -> count, scan, place, order   which rows which views have, and the inverse
//   accumulate -> head -> slopes -> layer                        forward, loss, backward
//   gather -> bias -> collect -> (reduce) -> update, update_rows gradients, and the optimiser
//
// Floats are added up in an order that depends on the batch alone, so that a run can be repeated to the bit: where
// many blocks add to one number, each leaves its part and one thread adds the parts up. Only integers
// are counted with atomics.
//
// A "view" is one side's look at one position; view 2 s belongs to the side to move in slot s. Slots come in
// tiles of TILE positions of one output bucket; a slot may be empty. Sizes are macros that the host defines:
//
//   INPUTS WIDTH ACTIVATION SQUARED_HIDDEN BUCKETS LAYERS N0 N1 N2 N3 N4 STRIDE MAX_ACTIVE UNIQUE SHARED
//   GROUP DIRECT DROPOUT BY_HAND ROUNDED ROW_QUANTUM DIRECT_QUANTUM BEFORE1..3 AFTER0..3 MARGIN0..3
//   TILE CHUNK BIAS_PARTS HEAD_THREADS REDUCERS LISTERS FOLDED
//
// N0 is the number of activations behind the accumulator, N1 to N4 the outputs of the layers, 0 beyond the last.

typedef unsigned int u32;
typedef unsigned long long u64;

#define CLIPPED 0
#define SQUARED 1
#define PAIRWISE 2
#define HALF (N0 / 2)
#define NONE 0xFFFFFFFFu
// Slots of a tile that are used: whole groups of records that belong together.
#define PLACES (TILE / GROUP * GROUP)
// Outputs of the first layer, filled up so that four threads share them.
#define FILLED ((N1 + 3) / 4 * 4)
#define SHARE (FILLED / 4)

struct Step {
    u64 first, samples, epoch;
    u32 half_bits, parts, batch, tiles;
    u32 keys[2][4];
    // The loss.
    u32 loss_kind;
    float exponent, slope, target_slope, lambda, unit, by_hand, share;
    // The optimiser.
    u32 formula;
    float rate, memory1, memory2, root, epsilon, keep, l2, clip, row_limit, pull;
    // The weights of the features that go straight to the output.
    float direct_limit;
    // Dropout: activations whose number is below are dropped, the others are multiplied.
    u32 drop_seed, drop_below;
    float drop_scale;
};

struct Part {
    u64 end, first, len;
};

// Calls `body` with every number below COUNT, the THREADS threads of a block by turns. How many turns there are is known
// when this is compiled, so that the loads of all of them are under way at once.
template <u32 COUNT, u32 THREADS, typename Body>
__device__ __forceinline__ void each(Body body) {
#pragma unroll
    for (u32 turn = 0; turn < (COUNT + THREADS - 1) / THREADS; turn++) {
        const u32 at = turn * THREADS + threadIdx.x;
        if (COUNT % THREADS == 0 || at < COUNT) body(at);
    }
}

// ---- which record each slot is --------------------------------------------------------------------------------

__device__ u32 mix(u32 x) {
    x = (x ^ (x >> 16)) * 0x85EBCA6Bu;
    x = (x ^ (x >> 13)) * 0xC2B2AE35u;
    return x ^ (x >> 16);
}

// The order of the CPU, number by number.
__device__ u64 permuted(const Step &step, const u32 *keys, u64 place) {
    const u32 mask = (1u << step.half_bits) - 1;
    const u64 count = step.samples / GROUP;
    u64 number = place;
    do {
        u32 left = (u32)(number >> step.half_bits) & mask, right = (u32)number & mask;
        for (int round = 0; round < 4; round++) {
            const u32 next = left ^ (mix(right ^ keys[round]) & mask);
            left = right;
            right = next;
        }
        number = ((u64)left << step.half_bits) | right;
    } while (number >= count);
    return number;
}

__device__ int bucket_of(const uint4 *records, u64 record) {
    const uint4 low = records[2 * record];
    return (__popc(low.x) + __popc(low.y) - 1) * BUCKETS / 32;
}

// One thread per position of the batch. With one bucket the slot is known by the position; otherwise positions are
// counted by bucket, block by block.
extern "C" __global__ void sample(Step step, const Part *parts, const uint4 *records, u32 *slots, u32 *chosen,
                                  u32 *ranks, u32 *counts) {
    const u32 at = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ u32 buckets[256];
    u32 record = 0, bucket = NONE;
    if (at < step.batch) {
        u64 sample = step.first + at;
        const u64 epoch = sample / step.samples;
        const u64 place = sample % step.samples;
        sample = permuted(step, step.keys[epoch - step.epoch], place / GROUP) * GROUP + place % GROUP;
        u64 start = 0;
        for (u32 part = 0; part < step.parts; part++) {
            if (sample < parts[part].end) {
                const u64 count = parts[part].end - start;
                record = (u32)(parts[part].first + (sample - start + epoch * count) % parts[part].len);
                break;
            }
            start = parts[part].end;
        }
        if (BUCKETS == 1) {
            slots[at / PLACES * TILE + at % PLACES] = record;
        } else {
            bucket = bucket_of(records, record);
        }
    }
    if (BUCKETS > 1) {
        buckets[threadIdx.x] = bucket;
        __syncthreads();
        u32 rank = 0;
        for (u32 other = 0; other < threadIdx.x; other++) rank += buckets[other] == bucket;
        if (at < step.batch) {
            chosen[at] = record;
            ranks[at] = bucket << 28 | rank;
        }
        if (threadIdx.x < 16) {
            u32 count = 0;
            for (u32 other = 0; other < blockDim.x; other++) count += buckets[other] == threadIdx.x;
            counts[blockIdx.x * 16 + threadIdx.x] = count;
        }
    }
}

// The same threads: the slot of each position, buckets beginning with whole tiles. The first thread names the tiles.
extern "C" __global__ void arrange(Step step, const u32 *chosen, const u32 *ranks, const u32 *counts, u32 *slots,
                                   u32 *tile_buckets, u32 *bucket_tiles) {
    const u32 at = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ u32 totals[16], before[16], starts[16];
    if (threadIdx.x < 16) totals[threadIdx.x] = before[threadIdx.x] = 0;
    __syncthreads();
    for (u32 n = threadIdx.x; n < gridDim.x * 16; n += blockDim.x) {
        atomicAdd(&totals[n % 16], counts[n]);
        if (n / 16 < blockIdx.x) atomicAdd(&before[n % 16], counts[n]);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        u32 tile = 0;
        for (u32 bucket = 0; bucket < BUCKETS; bucket++) {
            starts[bucket] = tile * TILE;
            if (at == 0) bucket_tiles[bucket] = tile;
            const u32 end = tile + (totals[bucket] + TILE - 1) / TILE;
            for (; tile < end; tile++) {
                if (at == 0) tile_buckets[tile] = bucket;
            }
        }
        if (at == 0) {
            bucket_tiles[BUCKETS] = tile;
            for (; tile < step.tiles; tile++) tile_buckets[tile] = 0;
        }
    }
    __syncthreads();
    if (at < step.batch) {
        const u32 bucket = ranks[at] >> 28;
        slots[starts[bucket] + before[bucket] + (ranks[at] & 0x0FFFFFFFu)] = chosen[at];
    }
}

// ---- features -------------------------------------------------------------------------------------------------

__device__ float sigmoid(float x) { return 1.0f / (1.0f + expf(-x)); }

// One thread per view: the rows of its pieces through the tables of the feature set.
extern "C" __global__ void unpack(Step step, const uint4 *records, const u32 *slots, const u32 *table,
                                  const u32 *lengths, u32 *lists, u32 *list_lengths, float *targets, u32 *seeds) {
    const u32 view = blockIdx.x * blockDim.x + threadIdx.x;
    if (view >= 2 * TILE * step.tiles) return;
    const u32 record = slots[view / 2];
    if (record == NONE) {
        list_lengths[view] = 0;
        if (view % 2 == 0) {
            targets[view / 2] = -1.0f;
            seeds[view / 2] = 0;
        }
        return;
    }
    const uint4 low = records[2 * (u64)record], high = records[2 * (u64)record + 1];
    u64 occupied = (u64)low.y << 32 | low.x;
    u64 nibbles = (u64)low.w << 32 | low.z;
    const u64 later = (u64)high.y << 32 | high.x;
    const bool other = view % 2 == 1;
    const u32 king = (other ? high.w : high.z >> 24) & 63;
    u32 *list = lists + (u64)view * MAX_ACTIVE;
    u32 used = 0;
    for (int nth = 0; occupied != 0; nth++) {
        if (nth == 16) nibbles = later;
        const u32 code = (u32)nibbles & 15;
        nibbles >>= 4;
        const u32 square = __ffsll((long long)occupied) - 1;
        occupied &= occupied - 1;
        // The other side sees the board from its end, with the colours exchanged.
        const u32 piece = 2 * (code & 7) + ((code >> 3) ^ (other ? 1 : 0));
        const u32 *rows = table + ((king * 12 + piece) * 64 + (square ^ (other ? 56 : 0))) * STRIDE;
        for (u32 n = 0; n < lengths[piece]; n++) {
            const u32 row = rows[n];
            bool fresh = true;
            if (UNIQUE) {
                for (u32 known = 0; known < used; known++) fresh = fresh && list[known] != row;
            }
            if (fresh) list[used++] = row;
        }
    }
    list_lengths[view] = used;
    if (!other) {
        const float score = (float)(short)(high.z & 0xFFFF);
        const float result = 0.5f * (float)((high.z >> 16) & 255);
        const float won = step.lambda * sigmoid(score * step.target_slope) + (1.0f - step.lambda) * result;
        // Scores can be negative, so that an empty slot is told by its record, not by its target.
        targets[view / 2] = step.loss_kind == 2 ? score / step.unit : won;
        if (DROPOUT) {
            // What is dropped depends on the position and the step, as on the CPU.
            u32 seed = step.drop_seed;
            seed = mix(seed ^ low.x);
            seed = mix(seed ^ low.y);
            seed = mix(seed ^ low.z);
            seed = mix(seed ^ low.w);
            seed = mix(seed ^ high.x);
            seed = mix(seed ^ high.y);
            seeds[view / 2] = mix(seed ^ high.w);
        }
    }
}

// ---- the inverse index ----------------------------------------------------------------------------------------

// Up to so many views of a row are sorted by counting.
#define FEW 64

// Small sets count in shared memory first: the same few rows are asked for by everybody. There a thread has a view; in
// large sets LISTERS threads share one.
#define LOCAL_COUNTS (LISTERS == 1)

extern "C" __global__ void count(u32 views, const u32 *lists, const u32 *list_lengths, u32 *row_counts) {
    const u32 thread = blockIdx.x * blockDim.x + threadIdx.x, view = thread / LISTERS;
    const u32 length = view < views ? list_lengths[view] : 0;
#if LOCAL_COUNTS
    __shared__ u32 local[INPUTS];
    for (u32 row = threadIdx.x; row < INPUTS; row += blockDim.x) local[row] = 0;
    __syncthreads();
    for (u32 n = 0; n < length; n++) atomicAdd(&local[lists[(u64)view * MAX_ACTIVE + n]], 1u);
    __syncthreads();
    for (u32 row = threadIdx.x; row < INPUTS; row += blockDim.x) {
        if (local[row]) atomicAdd(&row_counts[row], local[row]);
    }
#else
    for (u32 n = thread % LISTERS; n < length; n += LISTERS) {
        atomicAdd(&row_counts[lists[(u64)view * MAX_ACTIVE + n]], 1u);
    }
#endif
}

// A block per 1024 rows: how many views and tasks of the gather they have together.
extern "C" __global__ void tally(const u32 *row_counts, u32 *block_views, u32 *block_tasks) {
    __shared__ u32 views, parts;
    if (threadIdx.x == 0) views = parts = 0;
    __syncthreads();
    const u32 row = blockIdx.x * 1024 + threadIdx.x;
    const u32 count = row < INPUTS ? row_counts[row] : 0;
    if (count > 0) {
        atomicAdd(&views, count);
        atomicAdd(&parts, (count + CHUNK - 1) / CHUNK);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        block_views[blockIdx.x] = views;
        block_tasks[blockIdx.x] = parts;
    }
}

// The same blocks: where the views of each row begin, and the tasks of the gather.
extern "C" __global__ void scan(const u32 *row_counts, const u32 *block_views, const u32 *block_tasks, u32 *row_starts,
                                u32 *row_tasks, u32 *cursors, u32 *tasks, u32 *many) {
    __shared__ u32 views[1024], parts[1024], base_views, base_parts;
    if (threadIdx.x == 0) base_views = base_parts = 0;
    __syncthreads();
    for (u32 block = threadIdx.x; block < blockIdx.x; block += 1024) {
        atomicAdd(&base_views, block_views[block]);
        atomicAdd(&base_parts, block_tasks[block]);
    }
    const u32 row = blockIdx.x * 1024 + threadIdx.x;
    const u32 count = row < INPUTS ? row_counts[row] : 0;
    const u32 split = (count + CHUNK - 1) / CHUNK;
    views[threadIdx.x] = count;
    parts[threadIdx.x] = split;
    __syncthreads();
    for (u32 step = 1; step < 1024; step *= 2) {
        u32 more_views = 0, more_parts = 0;
        if (threadIdx.x >= step) {
            more_views = views[threadIdx.x - step];
            more_parts = parts[threadIdx.x - step];
        }
        __syncthreads();
        views[threadIdx.x] += more_views;
        parts[threadIdx.x] += more_parts;
        __syncthreads();
    }
    if (row >= INPUTS) return;
    const u32 view = base_views + views[threadIdx.x] - count;
    const u32 task = base_parts + parts[threadIdx.x] - split;
    row_starts[row] = view;
    cursors[row] = view;
    row_tasks[row] = task;
    for (u32 n = 0; n < split; n++) tasks[task + n] = row;
    // In any order: the rows on this list have nothing to do with each other.
    if (count > FEW) many[1 + atomicAdd(&many[0], 1u)] = row;
    if (row == INPUTS - 1) {
        row_starts[INPUTS] = view + count;
        row_tasks[INPUTS] = task + split;
    }
}

// Where each view stands among those of its row is a matter of luck here; `order` and `order_many` sort them.
extern "C" __global__ void place(u32 views, const u32 *lists, const u32 *list_lengths, u32 *cursors, u32 *sorted) {
    const u32 thread = blockIdx.x * blockDim.x + threadIdx.x, view = thread / LISTERS;
    const u32 length = view < views ? list_lengths[view] : 0;
    const u32 *list = lists + (u64)view * MAX_ACTIVE;
#if LOCAL_COUNTS
    __shared__ u32 local[INPUTS];
    for (u32 row = threadIdx.x; row < INPUTS; row += blockDim.x) local[row] = 0;
    __syncthreads();
    for (u32 n = 0; n < length; n++) atomicAdd(&local[list[n]], 1u);
    __syncthreads();
    for (u32 row = threadIdx.x; row < INPUTS; row += blockDim.x) {
        if (local[row]) local[row] = atomicAdd(&cursors[row], local[row]);
    }
    __syncthreads();
    for (u32 n = 0; n < length; n++) sorted[atomicAdd(&local[list[n]], 1u)] = view;
#else
    for (u32 n = thread % LISTERS; n < length; n += LISTERS) sorted[atomicAdd(&cursors[list[n]], 1u)] = view;
#endif
}

// Rows with few views: 32 threads each, 8 rows to a block.
extern "C" __global__ void order(const u32 *row_starts, const u32 *sorted, u32 *ordered) {
    __shared__ u32 local[8][FEW];
    const u32 nth = threadIdx.x / 32, lane = threadIdx.x % 32, row = blockIdx.x * 8 + nth;
    u32 start = 0, length = 0;
    if (row < INPUTS) {
        start = row_starts[row];
        length = row_starts[row + 1] - start;
    }
    if (length > FEW) length = 0;
    for (u32 n = lane; n < length; n += 32) local[nth][n] = sorted[start + n];
    __syncthreads();
    for (u32 n = lane; n < length; n += 32) {
        const u32 view = local[nth][n];
        u32 rank = 0;
        for (u32 other = 0; other < length; other++) rank += local[nth][other] < view;
        ordered[start + rank] = view;
    }
}

#define WINDOW 65536
#define WORDS (WINDOW / 32 / 256)

// The other rows, blocks of 256 threads: a bit for every view tells them in order.
extern "C" __global__ void order_many(u32 views, const u32 *many, const u32 *row_starts, const u32 *sorted,
                                      u32 *ordered) {
    __shared__ u32 bits[WINDOW / 32], counts[256];
    const u32 rows = many[0];
    for (u32 nth = blockIdx.x; nth < rows; nth += gridDim.x) {
        const u32 row = many[1 + nth], start = row_starts[row], end = row_starts[row + 1];
        u32 base = start;
        for (u32 window = 0; window < views; window += WINDOW) {
            for (u32 word = threadIdx.x; word < WINDOW / 32; word += 256) bits[word] = 0;
            __syncthreads();
            for (u32 at = start + threadIdx.x; at < end; at += 256) {
                // Views before the window become very large numbers.
                const u32 inside = sorted[at] - window;
                if (inside < WINDOW) atomicOr(&bits[inside / 32], 1u << (inside % 32));
            }
            __syncthreads();
            u32 own = 0;
            for (u32 word = 0; word < WORDS; word++) own += __popc(bits[threadIdx.x * WORDS + word]);
            counts[threadIdx.x] = own;
            __syncthreads();
            for (u32 step = 1; step < 256; step *= 2) {
                const u32 more = threadIdx.x >= step ? counts[threadIdx.x - step] : 0;
                __syncthreads();
                counts[threadIdx.x] += more;
                __syncthreads();
            }
            u32 to = base + counts[threadIdx.x] - own;
            for (u32 word = 0; word < WORDS; word++) {
                const u32 number = threadIdx.x * WORDS + word;
                for (u32 rest = bits[number]; rest != 0; rest &= rest - 1) {
                    ordered[to++] = window + 32 * number + __ffs((int)rest) - 1;
                }
            }
            base += counts[255];
            __syncthreads();
        }
    }
}

// ---- forward --------------------------------------------------------------------------------------------------

__device__ void add(float4 &sum, const float4 more) {
    sum.x += more.x;
    sum.y += more.y;
    sum.z += more.z;
    sum.w += more.w;
}

// The sum over the REDUCERS rows of threads of a block, for the first of them.
__device__ void joined(float4 &sum) {
    __shared__ float4 sums[REDUCERS][WIDTH / 4];
    sums[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y > 0) return;
    for (u32 other = 1; other < REDUCERS; other++) add(sum, sums[other][threadIdx.x]);
}

__device__ float rounded(float number, float quantum) { return roundf(number * quantum) / quantum; }

// A block per slot, WIDTH / 4 threads per view, four neurons each. With direct weights the first thread adds up what
// the features have to say to the output.
extern "C" __global__ void accumulate(const float4 *rows, const float4 *bias, const u32 *lists,
                                      const u32 *list_lengths, const u32 *tile_buckets, const float *direct_weights,
                                      float4 *sums, float *direct) {
    const u32 lanes = WIDTH / 4;
    const u32 side = threadIdx.x / lanes, lane = threadIdx.x % lanes;
    const u64 view = 2 * (u64)blockIdx.x + side;
    __shared__ u32 local[2][MAX_ACTIVE];
    const u32 length = list_lengths[view];
    for (u32 n = lane; n < length; n += lanes) local[side][n] = lists[view * MAX_ACTIVE + n];
    __syncthreads();
    float4 sum = bias[lane];
    u32 n = 0;
    for (; n + 4 <= length; n += 4) {
        const float4 a = rows[(u64)local[side][n] * lanes + lane];
        const float4 b = rows[(u64)local[side][n + 1] * lanes + lane];
        const float4 c = rows[(u64)local[side][n + 2] * lanes + lane];
        const float4 d = rows[(u64)local[side][n + 3] * lanes + lane];
        add(sum, a);
        add(sum, b);
        add(sum, c);
        add(sum, d);
    }
    for (; n < length; n++) add(sum, rows[(u64)local[side][n] * lanes + lane]);
    sums[view * lanes + lane] = sum;
#if DIRECT
    __shared__ float said[2];
    if (lane == 0) {
        const u32 bucket = tile_buckets[blockIdx.x / TILE];
        float total = 0.0f;
        for (u32 n = 0; n < length; n++) {
            const float weight = direct_weights[(u64)local[side][n] * BUCKETS + bucket];
            total += ROUNDED ? rounded(weight, DIRECT_QUANTUM) : weight;
        }
        said[side] = total;
    }
    __syncthreads();
    if (threadIdx.x == 0) direct[blockIdx.x] = 0.5f * (said[0] - said[1]);
#endif
}

__device__ float clip(float x) { return fminf(fmaxf(x, 0.0f), 1.0f); }

// What passes where a sum was not clipped. Rounded sums stand for integers: at exactly 0 or 1 their last bits say nothing,
// hence the margin, half of an integer.
__device__ float gate(float x, float y, float margin) { return x > margin && x < 1.0f - margin ? y : 0.0f; }

// With rounding: the next lower number that the integers can hold, where `one` of them stands for 1. Sums of floats may
// be a little below the number they mean.
__device__ float floored(float x, float one) { return one > 0.0f ? floorf(x * one + 0.000244140625f) / one : x; }

// What dropout makes of activation k: nothing, or a little more.
__device__ float dropped(const Step &step, u32 seed, u32 k, float x) {
    if (!DROPOUT) return x;
    return mix(seed ^ (k * 0x9E3779B9u)) < step.drop_below ? 0.0f : step.drop_scale * x;
}

// Activation k of a slot.
__device__ float activation(const Step &step, const float *sums, const u32 *seeds, u64 slot, u32 k) {
    const float *view = sums + (2 * slot + k / HALF) * WIDTH;
    const u32 j = k % HALF;
    const float a = clip(view[j]);
#if ACTIVATION == CLIPPED
    const float x = a;
#elif ACTIVATION == SQUARED
    const float x = floored(a * a, AFTER0);
#else
    const float x = floored(a * clip(view[j + HALF]), AFTER0);
#endif
    return dropped(step, DROPOUT ? seeds[slot] : 0, k, x);
}

__device__ float hidden(float x, float before, float after) {
    const float a = floored(clip(x), before);
    return SQUARED_HIDDEN ? floored(a * a, after) : a;
}
__device__ float hidden_slope(float x, float back, float margin) {
    return gate(x, SQUARED_HIDDEN ? (x + x) * back : back, margin);
}

// Loss and slope of an output; the same formulas as on the CPU.
__device__ float2 loss_of(const Step &step, float output, float target) {
    if (step.loss_kind == 2) {
        const float error = output - target;
        return make_float2(error * error, 2.0f * error);
    }
    const float x = step.slope * output, q = sigmoid(x), error = q - target;
    if (step.loss_kind == 1) {
        const float both = log1pf(expf(-fabsf(x)));
        const float win = fmaxf(-x, 0.0f) + both, lose = fmaxf(x, 0.0f) + both;
        return make_float2(target * win + (1.0f - target) * lose, step.slope * error);
    }
    if (step.exponent == 2.0f) {
        return make_float2(error * error, 2.0f * error * step.slope * q * (1.0f - q));
    }
    const float size = fabsf(error), rest = powf(size, step.exponent - 1.0f);
    return make_float2(rest * size, copysignf(step.exponent * rest, error) * step.slope * q * (1.0f - q));
}

// Loss of three outputs that belong together, and their slopes in place of the outputs; as on the CPU.
__device__ float triplet(const Step &step, float &p, float &q, float &r) {
    const float better = step.slope * (r - q), sum = step.slope * (p + q);
    const float costs = fmaxf(-better, 0.0f) + log1pf(expf(-fabsf(better))) + fabsf(sum)
                      + 2.0f * log1pf(expf(-fabsf(sum)));
    const float push = sigmoid(-better), pull = sigmoid(sum) - sigmoid(-sum);
    p = step.slope * pull;
    q = step.slope * (pull + push);
    r = -step.slope * push;
    return costs;
}

// Where weights and bias of a layer (1 is the first) of a bucket stand in the list of small tensors.
#define SIZE1 (N0 * N1 + N1)
#define SIZE2 (N1 * N2 + N2)
#define SIZE3 (N2 * N3 + N3)
#define SIZE4 (N3 * N4 + N4)
#define HEAD (SIZE1 + SIZE2 + SIZE3 + SIZE4)
// All but the weights of the first layer.
#define REST (HEAD - N0 * N1)

__device__ u32 layer_start(u32 bucket, int layer) {
    u32 start = WIDTH + bucket * HEAD;
    if (layer > 1) start += SIZE1;
    if (layer > 2) start += SIZE2;
    if (layer > 3) start += SIZE3;
    return start;
}

#define STEP_K 32
#define LARGER(a, b) ((a) > (b) ? (a) : (b))
// The inputs of a layer: STEP_K of the first, all of another.
#define WORK (TILE * (1 + LARGER(STEP_K, LARGER(N1, LARGER(N2, N3)))))

// The activations of a hidden layer from its sums. Rows have a column more than there are neurons, against bank conflicts.
template <int SIZE>
__device__ void activate(const float *sums, float *values, float before, float after) {
    each<TILE * SIZE, HEAD_THREADS>([&](u32 at) {
        const u32 place = at / SIZE * (SIZE + 1) + at % SIZE;
        values[place] = hidden(sums[place], before, after);
    });
    __syncthreads();
}

template <int IN, int OUT>
__device__ void dense(const float *weights, const float *sums, float *values, float *outputs, float before,
                      float after) {
    activate<IN>(sums, values, before, after);
    each<TILE * OUT, HEAD_THREADS>([&](u32 pair) {
        const u32 slot = pair % TILE, o = pair / TILE;
        float sum = weights[IN * OUT + o];
        for (int i = 0; i < IN; i++) sum += values[slot * (IN + 1) + i] * weights[o * IN + i];
        outputs[slot * (OUT + 1) + o] = sum;
    });
    __syncthreads();
}

// From the slopes of a layer's sums to its gradients and to the slopes of the sums before, in their place.
template <int IN, int OUT>
__device__ void dense_back(const float *weights, float *sums, float *values, const float *slopes, float *gradients,
                           float before, float after, float margin) {
    activate<IN>(sums, values, before, after);
    each<IN * OUT + OUT, HEAD_THREADS>([&](u32 at) {
        // Weights, then the bias, whose input is 1.
        const u32 i = at % IN, o = at < IN * OUT ? at / IN : at - IN * OUT;
        float sum = 0.0f;
        for (int slot = 0; slot < TILE; slot++) {
            sum += slopes[slot * (OUT + 1) + o] * (at < IN * OUT ? values[slot * (IN + 1) + i] : 1.0f);
        }
        gradients[at] = sum;
    });
    each<TILE * IN, HEAD_THREADS>([&](u32 pair) {
        const u32 i = pair % IN, slot = pair / IN;
        float back = 0.0f;
        for (int o = 0; o < OUT; o++) back += slopes[slot * (OUT + 1) + o] * weights[o * IN + i];
        float &sum = sums[slot * (IN + 1) + i];
        sum = hidden_slope(sum, back, margin);
    });
    __syncthreads();
}

// A block of HEAD_THREADS per tile: all layers, the loss, and back to the sums of the first layer. Each tile leaves its
// part of the gradients, and adds to a loss of its own.
extern "C" __global__ void __launch_bounds__(HEAD_THREADS)
head(Step step, u32 learn, const uint4 *records, const float *sums, const float *small, const float *first_layer,
     const float *direct, const u32 *seeds, const u32 *tile_buckets, const u32 *slots, const float *targets,
     float *outputs, float *slopes, float *parts, double *total) {
    __shared__ float work[WORK];
    __shared__ __align__(16) float weights[STEP_K][FILLED];
    __shared__ float z1[TILE * (N1 + 1)];
    __shared__ float z2[TILE * (N2 + 1)];
    __shared__ float z3[TILE * (N3 + 1)];
    __shared__ float z4[TILE * (N4 + 1)];
    const u32 tile = blockIdx.x, bucket = tile_buckets[tile];
    // One half of the threads takes the first half of each step's inputs, the other the second. In a half every
    // thread has two slots and a share of the outputs.
    const u32 part_k = threadIdx.x / (HEAD_THREADS / 2);
    const u32 pair = threadIdx.x % (HEAD_THREADS / 2) / 4, share = threadIdx.x % 4;
    float low[SHARE], high[SHARE];
    for (int o = 0; o < SHARE; o++) low[o] = high[o] = 0.0f;
    for (u32 k = 0; k < N0; k += STEP_K) {
        each<TILE * STEP_K, HEAD_THREADS>([&](u32 at) {
            const u32 slot = at / STEP_K, i = at % STEP_K;
            work[slot * (STEP_K + 1) + i] = activation(step, sums, seeds, (u64)tile * TILE + slot, k + i);
        });
        each<STEP_K * FILLED, HEAD_THREADS>([&](u32 at) {
            weights[at / FILLED][at % FILLED] = first_layer[((u64)bucket * N0 + k) * FILLED + at];
        });
        __syncthreads();
        const float *first = work + 2 * pair * (STEP_K + 1), *second = first + STEP_K + 1;
        for (int n = 0; n < STEP_K / 2; n++) {
            const u32 i = part_k * (STEP_K / 2) + n;
            const float a = first[i], b = second[i];
            for (int o = 0; o < SHARE; o++) {
                const float weight = weights[i][share * SHARE + o];
                low[o] += a * weight;
                high[o] += b * weight;
            }
        }
        __syncthreads();
    }
    const float *layer1 = small + layer_start(bucket, 1);
    // The second half leaves its sums with the bias, the first adds its own.
    for (u32 turn = 2; turn-- > 0;) {
        if (part_k == turn) {
            for (int o = 0; o < SHARE; o++) {
                const u32 output = share * SHARE + o;
                if (output < N1) {
                    float &one = z1[2 * pair * (N1 + 1) + output], &two = z1[(2 * pair + 1) * (N1 + 1) + output];
                    const float bias = layer1[N0 * N1 + output];
                    one = low[o] + (turn == 0 ? one : bias);
                    two = high[o] + (turn == 0 ? two : bias);
                }
            }
        }
        __syncthreads();
    }
#if LAYERS > 1
    const float *layer2 = small + layer_start(bucket, 2);
    dense<N1, N2>(layer2, z1, work, z2, BEFORE1, AFTER1);
#endif
#if LAYERS > 2
    const float *layer3 = small + layer_start(bucket, 3);
    dense<N2, N3>(layer3, z2, work, z3, BEFORE2, AFTER2);
#endif
#if LAYERS > 3
    const float *layer4 = small + layer_start(bucket, 4);
    dense<N3, N4>(layer4, z3, work, z4, BEFORE3, AFTER3);
#endif
    float *last = LAYERS == 1 ? z1 : LAYERS == 2 ? z2 : LAYERS == 3 ? z3 : z4;
    // The output layer has one neuron and a column to spare: two floats per slot.
#if DIRECT
    if (threadIdx.x < TILE) last[2 * threadIdx.x] += direct[tile * TILE + threadIdx.x];
    __syncthreads();
#endif
    if (!learn) {
        if (threadIdx.x < TILE) outputs[tile * TILE + threadIdx.x] = last[2 * threadIdx.x];
        return;
    }
#if BY_HAND
    // Two bytes that the format leaves free: what the hand-crafted evaluation says.
    if (threadIdx.x < TILE) {
        const u32 record = slots[tile * TILE + threadIdx.x];
        if (record != NONE) {
            const u32 rest = records[2 * (u64)record + 1].w;
            last[2 * threadIdx.x] += step.by_hand * (float)(short)(rest >> 8 & 0xFFFF);
        }
    }
    __syncthreads();
#endif
    __shared__ double losses[TILE];
#if GROUP == 3
    if (threadIdx.x < TILE) losses[threadIdx.x] = 0.0;
    __syncthreads();
    // The last thread has the place that no group fills.
    if (threadIdx.x <= TILE / 3) {
        const u32 first = 3 * threadIdx.x;
        if (threadIdx.x == TILE / 3 || slots[tile * TILE + first] == NONE) {
            for (u32 slot = first; slot < first + 3 && slot < TILE; slot++) last[2 * slot] = 0.0f;
        } else {
            float p = last[2 * first], q = last[2 * first + 2], r = last[2 * first + 4];
            losses[first] = triplet(step, p, q, r);
            last[2 * first] = step.share * p;
            last[2 * first + 2] = step.share * q;
            last[2 * first + 4] = step.share * r;
        }
    }
#else
    if (threadIdx.x < TILE) {
        const u32 slot = tile * TILE + threadIdx.x;
        float2 found = make_float2(0.0f, 0.0f);
        if (slots[slot] != NONE) found = loss_of(step, last[2 * threadIdx.x], targets[slot]);
        losses[threadIdx.x] = found.x;
        last[2 * threadIdx.x] = step.share * found.y;
    }
#endif
    __syncthreads();
    if (threadIdx.x < TILE) outputs[tile * TILE + threadIdx.x] = last[2 * threadIdx.x];
    if (threadIdx.x == 0) {
        double sum = 0.0;
        for (int slot = 0; slot < TILE; slot++) sum += losses[slot];
        total[tile] += sum;
    }
    float *part = parts + (u64)tile * REST;
#if LAYERS > 3
    dense_back<N3, N4>(layer4, z3, work, z4, part + N1 + SIZE2 + SIZE3, BEFORE3, AFTER3, MARGIN3);
#endif
#if LAYERS > 2
    dense_back<N2, N3>(layer3, z2, work, z3, part + N1 + SIZE2, BEFORE2, AFTER2, MARGIN2);
#endif
#if LAYERS > 1
    dense_back<N1, N2>(layer2, z1, work, z2, part + N1, BEFORE1, AFTER1, MARGIN1);
#endif
    each<N1, HEAD_THREADS>([&](u32 o) {
        float sum = 0.0f;
        for (int slot = 0; slot < TILE; slot++) sum += z1[slot * (N1 + 1) + o];
        part[o] = sum;
    });
    each<TILE * N1, HEAD_THREADS>([&](u32 at) {
        slopes[(u64)tile * TILE * N1 + at] = z1[at / N1 * (N1 + 1) + at % N1];
    });
}

// ---- backward -------------------------------------------------------------------------------------------------

#define COLUMNS 64

// A block of 256 threads per tile and 64 columns: the slopes of the accumulators.
extern "C" __global__ void __launch_bounds__(256)
slopes(Step step, const float *sums, const float *small, const u32 *seeds, const u32 *tile_buckets,
       const float *layer_slopes, float *view_slopes) {
    __shared__ float local[TILE][N1 + 1];
    __shared__ float weights[N1][COLUMNS];
    const u32 tile = blockIdx.x, column = blockIdx.y * COLUMNS;
    const float *layer = small + layer_start(tile_buckets[tile], 1);
    each<TILE * N1, 256>([&](u32 at) { local[at / N1][at % N1] = layer_slopes[(u64)tile * TILE * N1 + at]; });
    each<N1 * COLUMNS, 256>([&](u32 at) {
        weights[at / COLUMNS][at % COLUMNS] = layer[at / COLUMNS * N0 + column + at % COLUMNS];
    });
    __syncthreads();
    // Sixteen threads share a row of columns; each has four of them, and four slots.
    const u32 c = threadIdx.x % 16, s = threadIdx.x / 16 * 4;
    float back[4][4];
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) back[i][j] = 0.0f;
    }
    for (int o = 0; o < N1; o++) {
        float weight[4];
        for (int j = 0; j < 4; j++) weight[j] = weights[o][c + 16 * j];
        for (int i = 0; i < 4; i++) {
            for (int j = 0; j < 4; j++) back[i][j] += local[s + i][o] * weight[j];
        }
    }
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            const u32 k = column + c + 16 * j;
            const u64 slot = (u64)tile * TILE + s + i, view = 2 * slot + k / HALF;
            const float back_here = dropped(step, DROPOUT ? seeds[slot] : 0, k, back[i][j]);
            const float *sum = sums + view * WIDTH + k % HALF;
            float *slope = view_slopes + view * WIDTH + k % HALF;
#if ACTIVATION == CLIPPED
            slope[0] = gate(sum[0], back_here, MARGIN0);
#elif ACTIVATION == SQUARED
            slope[0] = gate(sum[0], (sum[0] + sum[0]) * back_here, MARGIN0);
#else
            const float a = sum[0], b = sum[HALF];
            slope[0] = gate(a, back_here * clip(b), MARGIN0);
            slope[HALF] = gate(b, back_here * clip(a), MARGIN0);
#endif
        }
    }
}

// A block of 256 threads per 64 columns and `range` tiles: a part of the gradients of the first layer's weights. Tiles are
// sorted by bucket, so that the number of the range and that of the bucket together tell parts apart.
extern "C" __global__ void __launch_bounds__(256)
layer(Step step, u32 range, const float *sums, const u32 *seeds, const u32 *tile_buckets, const u32 *bucket_tiles,
      const float *layer_slopes, float *parts) {
    __shared__ float inputs[32][COLUMNS];
    __shared__ __align__(16) float local[32][FILLED];
    const u32 column = blockIdx.x * COLUMNS, c = threadIdx.x % COLUMNS, part = threadIdx.x / COLUMNS;
    const u32 end = min((blockIdx.y + 1) * range, bucket_tiles[BUCKETS]);
    float sum[SHARE];
    for (int o = 0; o < SHARE; o++) sum[o] = 0.0f;
    for (u32 tile = blockIdx.y * range; tile < end; tile++) {
        const u32 bucket = tile_buckets[tile];
        for (u32 half = 0; half < TILE; half += 32) {
            __syncthreads();
            each<32 * COLUMNS, 256>([&](u32 at) {
                const u64 slot = (u64)tile * TILE + half + at / COLUMNS;
                inputs[at / COLUMNS][at % COLUMNS] = activation(step, sums, seeds, slot, column + at % COLUMNS);
            });
            each<32 * FILLED, 256>([&](u32 at) {
                const u64 slot = (u64)tile * TILE + half + at / FILLED;
                const u32 o = at % FILLED;
                local[at / FILLED][o] = o < N1 ? layer_slopes[slot * N1 + o] : 0.0f;
            });
            __syncthreads();
            for (int slot = 0; slot < 32; slot++) {
                const float input = inputs[slot][c];
                for (int o = 0; o < SHARE; o++) sum[o] += input * local[slot][part * SHARE + o];
            }
        }
        if (tile + 1 >= end || tile_buckets[tile + 1] != bucket) {
            float *to = parts + (u64)(blockIdx.y + bucket) * (N0 * N1);
            for (int o = 0; o < SHARE; o++) {
                const u32 output = part * SHARE + o;
                if (output < N1) to[output * N0 + column + c] = sum[o];
                sum[o] = 0.0f;
            }
        }
    }
}

// Tasks of threadIdx.y: the gradients of up to CHUNK views of one row, summed up.
extern "C" __global__ void gather(const u32 *row_starts, const u32 *row_tasks, const u32 *tasks, const u32 *ordered,
                                  const float4 *view_slopes, float4 *partial) {
    const u32 lanes = WIDTH / 4, lane = threadIdx.x;
    const u32 task = blockIdx.x * blockDim.y + threadIdx.y;
    if (task >= row_tasks[INPUTS]) return;
    const u32 row = tasks[task];
    u32 at = row_starts[row] + (task - row_tasks[row]) * CHUNK;
    const u32 end = min(at + CHUNK, row_starts[row + 1]);
    float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    for (; at + 4 <= end; at += 4) {
        const float4 a = view_slopes[(u64)ordered[at] * lanes + lane];
        const float4 b = view_slopes[(u64)ordered[at + 1] * lanes + lane];
        const float4 c = view_slopes[(u64)ordered[at + 2] * lanes + lane];
        const float4 d = view_slopes[(u64)ordered[at + 3] * lanes + lane];
        add(sum, a);
        add(sum, b);
        add(sum, c);
        add(sum, d);
    }
    for (; at < end; at++) add(sum, view_slopes[(u64)ordered[at] * lanes + lane]);
    partial[(u64)task * lanes + lane] = sum;
}

// The gradient of the accumulator's bias: BIAS_PARTS blocks, a part of the views each, which REDUCERS rows of threads take
// by turns.
extern "C" __global__ void bias(u32 views, const float4 *view_slopes, float4 *parts) {
    const u32 lanes = WIDTH / 4, lane = threadIdx.x;
    float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
#pragma unroll 4
    for (u32 view = blockIdx.x * REDUCERS + threadIdx.y; view < views; view += gridDim.x * REDUCERS) {
        add(sum, view_slopes[(u64)view * lanes + lane]);
    }
    joined(sum);
    if (threadIdx.y == 0) parts[(u64)blockIdx.x * lanes + lane] = sum;
}

// The gradients of bias and layers from their parts. A block of 32 numbers, 16 threads each.
extern "C" __global__ void collect(u32 count, u32 range, const u32 *bucket_tiles, const float *bias_parts,
                                   const float *layer_parts, const float *head_parts, float *gradients) {
    __shared__ float sums[16][32];
    const u32 at = blockIdx.x * 32 + threadIdx.x;
    const float *parts = bias_parts + at;
    u32 stride = WIDTH, first = 0, end = at < WIDTH ? BIAS_PARTS : 0;
    if (at >= WIDTH && at < count) {
        const u32 bucket = (at - WIDTH) / HEAD, inside = (at - WIDTH) % HEAD;
        first = bucket_tiles[bucket];
        end = bucket_tiles[bucket + 1];
        if (inside >= N0 * N1) {
            parts = head_parts + (inside - N0 * N1);
            stride = REST;
        } else {
            parts = layer_parts + inside;
            stride = N0 * N1;
            // A bucket without tiles has no parts.
            end = end > first ? (end - 1) / range + bucket + 1 : 0;
            first = first / range + bucket;
        }
    }
    float sum = 0.0f;
    for (u32 part = first + threadIdx.y; part < end; part += 16) sum += parts[(u64)part * stride];
    sums[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y == 0 && at < count) {
        for (int share = 1; share < 16; share++) sum += sums[share][threadIdx.x];
        gradients[at] = sum;
    }
}

// Blocks of 16 buckets and 16 tasks: the gradients of direct weights over the views of a task.
extern "C" __global__ void direct_gather(const u32 *row_starts, const u32 *row_tasks, const u32 *tasks,
                                         const u32 *ordered, const u32 *tile_buckets, const float *output_slopes,
                                         float *partial) {
    const u32 bucket = threadIdx.x, task = blockIdx.x * blockDim.y + threadIdx.y;
    if (bucket >= BUCKETS || task >= row_tasks[INPUTS]) return;
    const u32 row = tasks[task];
    u32 at = row_starts[row] + (task - row_tasks[row]) * CHUNK;
    const u32 end = min(at + CHUNK, row_starts[row + 1]);
    float sum = 0.0f;
    for (; at < end; at++) {
        const u32 view = ordered[at], slot = view / 2;
        if (tile_buckets[slot / TILE] == bucket) sum += (view % 2 ? -0.5f : 0.5f) * output_slopes[slot];
    }
    partial[(u64)task * BUCKETS + bucket] = sum;
}

// ---- the optimiser --------------------------------------------------------------------------------------------

// One weight; the rules of the CPU.
__device__ float moved(const Step &step, float weight, float gradient, float &first, float &second, float limit) {
    gradient = fminf(fmaxf(gradient, -step.clip), step.clip) + step.l2 * weight;
    float next = step.keep * weight;
    if (step.formula == 2) {
        first = step.memory1 * first + (1.0f - step.memory1) * (gradient * gradient);
        const float change = sqrtf(second + step.epsilon) / sqrtf(first + step.epsilon) * gradient;
        second = step.memory2 * second + (1.0f - step.memory2) * (change * change);
        next -= step.rate * change;
    } else if (step.formula == 3) {
        first = step.memory1 * first + gradient;
        next -= step.rate * first;
    } else {
        first = step.memory1 * first + (1.0f - step.memory1) * gradient;
        second = step.memory2 * second + (1.0f - step.memory2) * (gradient * gradient);
        next -= step.formula == 0 ? step.rate * first / (step.root * sqrtf(second) + step.epsilon)
                                  : step.rate * first;
    }
    return fminf(fmaxf(next, -limit), limit);
}

// The gradients of the virtual rows: those of their real rows. A block per virtual row; its REDUCERS rows of threads take
// the members by turns.
extern "C" __global__ void reduce(const u32 *member_starts, const u32 *members, const u32 *row_tasks,
                                  const float4 *partial, float4 *gradients) {
    const u32 lanes = WIDTH / 4, lane = threadIdx.x, row = blockIdx.x;
    float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    for (u32 at = member_starts[row] + threadIdx.y; at < member_starts[row + 1]; at += REDUCERS) {
        const u32 member = members[at];
        for (u32 task = row_tasks[member]; task < row_tasks[member + 1]; task++) {
            add(sum, partial[(u64)task * lanes + lane]);
        }
    }
    joined(sum);
    if (threadIdx.y == 0) gradients[(u64)row * lanes + lane] = sum;
}

// All small tensors: bias, layers, virtual rows.
extern "C" __global__ void update(Step step, u32 count, float *numbers, float *first, float *second,
                                  const float *gradients, const float *limits) {
    const u32 at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= count) return;
    float one = first[at], two = second[at];
    numbers[at] = moved(step, numbers[at], gradients[at], one, two, limits[at]);
    first[at] = one;
    second[at] = two;
}

__device__ float4 folded(float4 row, const float4 *shared, u32 shared_row, u32 lane) {
    if (SHARED && shared_row != NONE) add(row, shared[(u64)shared_row * (WIDTH / 4) + lane]);
    if (ROUNDED) {
        row.x = rounded(row.x, ROW_QUANTUM);
        row.y = rounded(row.y, ROW_QUANTUM);
        row.z = rounded(row.z, ROW_QUANTUM);
        row.w = rounded(row.w, ROW_QUANTUM);
    }
    return row;
}

// The feature rows, and what the forward pass makes of them: threadIdx.y is the row, threadIdx.x four of its weights. The
// virtual rows are those of the next step already.
extern "C" __global__ void update_rows(Step step, const u32 *row_tasks, const float4 *partial, float4 *rows,
                                       float4 *first, float4 *second, const float4 *shared, const u32 *shared_rows,
                                       float4 *effective) {
    const u32 lanes = WIDTH / 4, lane = threadIdx.x, row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= INPUTS) return;
    float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    for (u32 task = row_tasks[row]; task < row_tasks[row + 1]; task++) {
        add(sum, partial[(u64)task * lanes + lane]);
    }
    const u64 at = (u64)row * lanes + lane;
    float4 weight = rows[at], one = first[at], two = second[at];
    weight.x = moved(step, weight.x, sum.x, one.x, two.x, step.row_limit);
    weight.y = moved(step, weight.y, sum.y, one.y, two.y, step.row_limit);
    weight.z = moved(step, weight.z, sum.z, one.z, two.z, step.row_limit);
    weight.w = moved(step, weight.w, sum.w, one.w, two.w, step.row_limit);
    rows[at] = weight;
    first[at] = one;
    second[at] = two;
    if (FOLDED) effective[at] = folded(weight, shared, SHARED ? shared_rows[row] : NONE, lane);
}

// The direct weights, one thread each.
extern "C" __global__ void update_direct(Step step, const u32 *row_tasks, const float *partial, float *weights,
                                         float *first, float *second) {
    const u32 at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= INPUTS * BUCKETS) return;
    const u32 row = at / BUCKETS, bucket = at % BUCKETS;
    float sum = 0.0f;
    for (u32 task = row_tasks[row]; task < row_tasks[row + 1]; task++) sum += partial[(u64)task * BUCKETS + bucket];
    float one = first[at], two = second[at];
    weights[at] = moved(step, weights[at], sum, one, two, step.direct_limit);
    first[at] = one;
    second[at] = two;
}

// The slow weights follow, and the fast ones begin with them.
extern "C" __global__ void pull(Step step, u64 count, float *fast, float *slow) {
    for (u64 at = (u64)blockIdx.x * blockDim.x + threadIdx.x; at < count; at += (u64)gridDim.x * blockDim.x) {
        slow[at] += step.pull * (fast[at] - slow[at]);
        fast[at] = slow[at];
    }
}

// The rows that the forward pass uses, where they are not the learned ones.
extern "C" __global__ void fold(const float4 *rows, const float4 *shared, const u32 *shared_rows, float4 *effective) {
    const u32 lanes = WIDTH / 4, lane = threadIdx.x, row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= INPUTS) return;
    const u64 at = (u64)row * lanes + lane;
    effective[at] = folded(rows[at], shared, SHARED ? shared_rows[row] : NONE, lane);
}

// The small tensors as the passes use them, and the first layer's weights by input.
extern "C" __global__ void prepare(u32 count, const float *numbers, const float *quanta, float *effective,
                                   float *first_layer) {
    const u32 at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= count) return;
    const float number = ROUNDED ? rounded(numbers[at], quanta[at]) : numbers[at];
    effective[at] = number;
    if (at >= WIDTH && at < WIDTH + BUCKETS * HEAD) {
        const u32 bucket = (at - WIDTH) / HEAD, inside = (at - WIDTH) % HEAD;
        if (inside < N0 * N1) {
            first_layer[((u64)bucket * N0 + inside % N0) * FILLED + inside / N0] = number;
        }
    }
}
