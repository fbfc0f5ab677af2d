/** A program that scores with a published model: {@link org.example.lateness.LatenessScorer}. */
package org.example.lateness;
