/**
 * The algorithms that a configuration can name, and what makes them out of its settings. Start with
 * {@link dev.sotto.learner.optimizer.settings.Optimizers}.
 */
package dev.sotto.learner.optimizer.settings;
