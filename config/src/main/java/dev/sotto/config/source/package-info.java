/**
 * Where settings are given: a YAML file, the environment, flags. Start with
 * {@link dev.sotto.config.source.ConfigValues}, which checks each setting by itself.
 */
package dev.sotto.config.source;
