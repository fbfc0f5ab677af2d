/** Attacks on published claims; see {@link dev.sotto.evaluation.audit.claim.PublishedClaims}. */
package dev.sotto.evaluation.audit.claim;
