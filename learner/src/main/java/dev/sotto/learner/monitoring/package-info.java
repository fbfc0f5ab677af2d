/**
 * What follows from published private metrics alone, and so costs nothing: start with {@link
 * dev.sotto.learner.monitoring.DriftMonitor}.
 */
package dev.sotto.learner.monitoring;
