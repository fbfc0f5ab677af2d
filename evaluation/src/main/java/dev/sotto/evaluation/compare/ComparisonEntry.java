package dev.sotto.evaluation.compare;

import java.util.Map;
import java.util.Optional;

/**
 * One of the configurations that are compared.
 *
 * @param name of its run
 * @param file where it was read
 * @param key a description of the noise key of its run; empty where it has faults
 * @param settings all that are in force, secrets masked, in their order; empty where it has faults
 * @param boundingOnly the name of the run with its bounds alone, if it has any
 * @param withoutPrivacy the name of the run with nothing of its privacy; empty where it has faults
 */
public record ComparisonEntry(
    String name,
    String file,
    String key,
    Map<String, String> settings,
    Optional<String> boundingOnly,
    Optional<String> withoutPrivacy) {}
