/**
 * The statistics of the audit: exact tails, and the bounds that follow from them; start with {@link
 * dev.sotto.app.audit.stat.OneRun}.
 */
package dev.sotto.app.audit.stat;
