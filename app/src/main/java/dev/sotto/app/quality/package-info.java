/**
 * What is made of published private metrics while a learner runs: the drift alarm, and the gate.
 * Start with {@link dev.sotto.app.quality.MetricsFollower}.
 */
package dev.sotto.app.quality;
