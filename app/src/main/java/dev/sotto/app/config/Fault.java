package dev.sotto.app.config;

/**
 * One thing that is wrong with a configuration.
 *
 * @param key the setting to change
 * @param message the key, the rule, the value and where it was given, in one line
 */
public record Fault(String key, String message) {}
