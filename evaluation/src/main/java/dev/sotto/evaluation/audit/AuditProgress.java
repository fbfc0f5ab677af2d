package dev.sotto.evaluation.audit;

/** Called, from any thread, after each step of an audit. */
@FunctionalInterface
interface AuditProgress {
  /**
   * One more step is done.
   *
   * @param what it was part of
   */
  void done(String what);
}
