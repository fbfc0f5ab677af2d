/**
 * What settings add up to: the typed settings of each component. Start with
 * {@link dev.sotto.config.settings.PlanSettings}.
 */
package dev.sotto.config.settings;
