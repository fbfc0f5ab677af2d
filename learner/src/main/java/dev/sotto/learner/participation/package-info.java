/**
 * How much one privacy unit (a record id, a user, a device) may contribute to one model
 * (docs/privacy.md, "Contribution bounds", docs/blt.md, "Budget per unit"); start with
 * {@link dev.sotto.learner.participation.Participation}.
 */
package dev.sotto.learner.participation;
