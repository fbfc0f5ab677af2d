/**
 * From one YAML file, the environment and flags to a learner's settings, with every fault told at once; start with
 * {@link dev.sotto.app.config.SottoConfig}.
 */
package dev.sotto.app.config;
