/**
 * What a configuration will cost and how much noise it will bear, before any data are touched;
 * start with {@link dev.sotto.evaluation.plan.PlanForecast}.
 */
package dev.sotto.evaluation.plan;
