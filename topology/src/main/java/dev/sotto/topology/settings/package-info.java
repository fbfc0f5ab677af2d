/** The settings of a learner, and the names of its topics, stores and nodes; start with {@link
 * dev.sotto.topology.settings.LearnerSettings}. */
package dev.sotto.topology.settings;
