/** Learns synthetic data; see {@link dev.sotto.evaluation.plan.simulation.Simulation}. */
package dev.sotto.evaluation.plan.simulation;
