/**
 * From one YAML file, the environment and flags to the settings of a learner, with all errors
 * reported at once; start with {@link dev.sotto.config.SottoConfig}.
 */
package dev.sotto.config;
