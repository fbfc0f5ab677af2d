package dev.sotto.evaluation.audit;

import org.junit.jupiter.api.Tag;

/** The same with more canaries and more samples. */
@Tag("long")
class CandidateAuditLongTest extends CandidateAuditTest {
  @Override
  Plans.Size size() {
    return Plans.WHOLE;
  }
}
