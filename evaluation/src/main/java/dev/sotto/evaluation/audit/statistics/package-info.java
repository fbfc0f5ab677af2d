/**
 * The statistics of the audit: exact tails, and the bounds that follow from them; start with {@link
 * dev.sotto.evaluation.audit.statistics.OneRunBound}.
 */
package dev.sotto.evaluation.audit.statistics;
