/** Learning on made-up data, to suggest settings; start with {@link dev.sotto.app.plan.simulation.Simulation}. */
package dev.sotto.app.plan.simulation;
