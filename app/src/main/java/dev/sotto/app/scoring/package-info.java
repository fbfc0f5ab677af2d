/**
 * Predictions for events of files and topics; start with {@link
 * dev.sotto.app.scoring.ScoringService}.
 */
package dev.sotto.app.scoring;
