/**
 * How much one privacy unit (a record id, a user, a device) may contribute to one model (privacy.md section 5,
 * blt.md section 4); start with {@link dev.sotto.learner.unit.Participation}.
 */
package dev.sotto.learner.unit;
