/**
 * The canary audit: made-up units, each in or out of the data by a coin, and how well what is
 * released gives the coins away; start with {@link dev.sotto.evaluation.audit.canary.CanaryAudit}.
 */
package dev.sotto.evaluation.audit.canary;
