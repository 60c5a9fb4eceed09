/* Is a chain of views the candidate? Decided by isl, called from C.
 *
 *   isl QUESTIONS PASSES LIMIT
 *   isl version
 *
 * QUESTIONS holds numbers only: how many questions; for each the number of
 * views, the views (memory side first) and the candidate. A view is its rank,
 * sizes, strides, offset, and 0 (valid everywhere), 1 and an interval for
 * each axis, or 2 (valid nowhere).
 *
 * For each question prints the answer (1 equal, 0 not, -1 given up after
 * LIMIT operations of isl), and the nanoseconds it takes, in the best of the
 * passes, to build the relations from the numbers, and to compose them and
 * compare with the candidate.
 *
 * The relation of the uppermost view and of the candidate is index -> position,
 * that of a lower view position -> position, its digits written with floors.
 */
#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/ctx.h>
#include <isl/map.h>
#include <isl/options.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>
#include <isl/version.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define AXES 64
/* Nanoseconds; slower questions are asked once. */
#define SLOW 3e6

typedef struct {
    int rank, validity;
    long size[AXES], stride[AXES], offset, lo[AXES], hi[AXES];
} view;

static long number(FILE *in) {
    long value;
    if (fscanf(in, "%ld", &value) != 1) {
        fprintf(stderr, "isl: the questions end too soon\n");
        exit(2);
    }
    return value;
}

static void read_view(FILE *in, view *v) {
    v->rank = (int)number(in);
    for (int j = 0; j < v->rank; j++) v->size[j] = number(in);
    for (int j = 0; j < v->rank; j++) v->stride[j] = number(in);
    v->offset = number(in);
    v->validity = (int)number(in);
    for (int j = 0; j < v->rank; j++) {
        v->lo[j] = v->validity == 1 ? number(in) : 0;
        v->hi[j] = v->validity == 1 ? number(in) : v->size[j];
    }
    for (int j = 0; j < v->rank; j++)
        if (v->size[j] == 0) v->validity = 2;
}

/* lo <= function < hi, for a function of the set's space. */
static isl_set *within(isl_set *set, isl_aff *function, long lo, long hi) {
    isl_ctx *ctx = isl_aff_get_ctx(function);
    isl_aff *low = isl_aff_add_constant_val(isl_aff_copy(function), isl_val_int_from_si(ctx, -lo));
    isl_aff *high = isl_aff_add_constant_val(isl_aff_neg(function), isl_val_int_from_si(ctx, hi - 1));
    set = isl_set_add_constraint(set, isl_inequality_from_aff(low));
    return isl_set_add_constraint(set, isl_inequality_from_aff(high));
}

/* index -> position */
static isl_map *by_index(isl_ctx *ctx, const view *v) {
    isl_space *space = isl_space_set_alloc(ctx, 0, v->rank);
    isl_local_space *local = isl_local_space_from_space(isl_space_copy(space));
    isl_aff *position = isl_aff_zero_on_domain(isl_local_space_copy(local));
    isl_set *domain = v->validity == 2 ? isl_set_empty(space) : isl_set_universe(space);
    position = isl_aff_set_constant_val(position, isl_val_int_from_si(ctx, v->offset));
    for (int j = 0; j < v->rank; j++) {
        isl_aff *axis = isl_aff_var_on_domain(isl_local_space_copy(local), isl_dim_set, j);
        position = isl_aff_set_coefficient_val(position, isl_dim_in, j, isl_val_int_from_si(ctx, v->stride[j]));
        domain = within(domain, axis, v->lo[j], v->hi[j]);
    }
    isl_local_space_free(local);
    return isl_map_intersect_domain(isl_map_from_aff(position), domain);
}

/* floor(n / divisor) */
static isl_aff *quotient(isl_local_space *local, long divisor) {
    isl_ctx *ctx = isl_local_space_get_ctx(local);
    isl_aff *n = isl_aff_var_on_domain(isl_local_space_copy(local), isl_dim_set, 0);
    if (divisor == 1) return n;
    return isl_aff_floor(isl_aff_scale_down_val(n, isl_val_int_from_si(ctx, divisor)));
}

/* position -> position */
static isl_map *by_position(isl_ctx *ctx, const view *v) {
    if (v->validity == 2) return isl_map_empty(isl_space_alloc(ctx, 0, 1, 1));
    isl_space *space = isl_space_set_alloc(ctx, 0, 1);
    isl_local_space *local = isl_local_space_from_space(isl_space_copy(space));
    isl_aff *position = isl_aff_zero_on_domain(isl_local_space_copy(local));
    isl_set *domain = isl_set_universe(space);
    long weight = 1;
    position = isl_aff_set_constant_val(position, isl_val_int_from_si(ctx, v->offset));
    for (int j = v->rank - 1; j >= 0; j--) {
        isl_aff *digit = quotient(local, weight);
        weight *= v->size[j];
        if (j > 0) {
            isl_aff *carry = isl_aff_scale_val(quotient(local, weight), isl_val_int_from_si(ctx, v->size[j]));
            digit = isl_aff_sub(digit, carry);
        }
        if (v->lo[j] != 0 || v->hi[j] != v->size[j])
            domain = within(domain, isl_aff_copy(digit), v->lo[j], v->hi[j]);
        position = isl_aff_add(position, isl_aff_scale_val(digit, isl_val_int_from_si(ctx, v->stride[j])));
    }
    domain = within(domain, quotient(local, 1), 0, weight);
    isl_local_space_free(local);
    return isl_map_intersect_domain(isl_map_from_aff(position), domain);
}

static double nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "version") == 0) {
        printf("%s", isl_version());
        return 0;
    }
    FILE *in = argc == 4 ? fopen(argv[1], "r") : NULL;
    if (!in) {
        fprintf(stderr, "usage: isl QUESTIONS PASSES LIMIT | isl version\n");
        return 2;
    }
    int passes = atoi(argv[2]);
    isl_ctx *ctx = isl_ctx_alloc();
    isl_options_set_on_error(ctx, ISL_ON_ERROR_CONTINUE);
    isl_ctx_set_max_operations(ctx, strtoul(argv[3], NULL, 10));

    long questions = number(in);
    static view views[AXES + 2];
        for (long q = 0; q < questions; q++) {
        int count = (int)number(in), answer = -1;
        if (count > AXES + 1) return 2;
        for (int k = 0; k <= count; k++) read_view(in, &views[k]);
        double build = INFINITY, decide = INFINITY;
        for (int pass = 0; pass < passes && (pass == 0 || decide < SLOW); pass++) {
            static isl_map *maps[AXES + 2];
            isl_ctx_reset_operations(ctx);
            double start = nanoseconds();
            for (int k = 0; k < count - 1; k++) maps[k] = by_position(ctx, &views[k]);
            maps[count - 1] = by_index(ctx, &views[count - 1]);
            maps[count] = by_index(ctx, &views[count]);
            double built = nanoseconds();
            isl_map *chain = maps[count - 1];
            for (int k = count - 2; k >= 0; k--) chain = isl_map_apply_range(chain, maps[k]);
            answer = isl_map_is_equal(chain, maps[count]);
            double decided = nanoseconds();
            isl_map_free(chain);
            isl_map_free(maps[count]);
            isl_ctx_reset_error(ctx);
            build = fmin(build, built - start);
            decide = fmin(decide, decided - built);
        }
        printf("%d %.0f %.0f\n", answer, build, decide);
    }
    fclose(in);
    isl_ctx_free(ctx);
    return 0;
}
