package dev.sotto.learner.loss;

/**
 * What is minimised, under its name in plans and snapshots.
 *
 * @param name with all parameters, as {@link Objectives} reads it
 */
public record NamedObjective(String name, Objective objective) {}
