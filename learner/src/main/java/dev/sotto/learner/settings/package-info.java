/**
 * How a component declares its settings beside itself; start with
 * {@link dev.sotto.learner.settings.ConfigKey} and {@link dev.sotto.learner.settings.Settings}.
 */
package dev.sotto.learner.settings;
