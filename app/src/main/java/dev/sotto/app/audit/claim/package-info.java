/**
 * Published statements that do not hold, measured (privacy.md section 9); start with {@link
 * dev.sotto.app.audit.claim.PublishedClaims}.
 */
package dev.sotto.app.audit.claim;
