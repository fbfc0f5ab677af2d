package dev.sotto.evaluation.audit.check;

/**
 * One thing that was checked.
 *
 * @param name a short name that stays the same from version to version
 * @param holds whether all is as it should be
 * @param figure what was found
 * @param rule what the figure must be, and how often that fails by chance
 * @param says what was done, in a sentence
 */
public record CheckResult(String name, boolean holds, double figure, String rule, String says) {}
