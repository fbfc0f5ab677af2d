package dev.sotto.learner.participation;

import java.util.Optional;

/**
 * What a round costs a unit that is in it.
 *
 * @param memory how one participation enters later rows; empty where no unit's own budget can
 *     follow that
 * @param generations when rounds begin anew
 * @param model (s / sigma)^2 of one participation
 * @param metrics the same of the private metrics, 0 without
 */
public record RoundCosts(
    Optional<ColumnDecay> memory, GenerationSchedule generations, double model, double metrics) {}
