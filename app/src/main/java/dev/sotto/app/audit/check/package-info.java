/**
 * Whether noise has the law that is claimed: tests whose false alarms are known exactly; start with {@link
 * dev.sotto.app.audit.check.NoiseChecks}.
 */
package dev.sotto.app.audit.check;
