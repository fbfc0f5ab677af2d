package dev.sotto.learner.training;

/** The version that is being learned: where it began, and with which round it ends. */
final class OpenVersion {
  private final Plan plan;
  private final VersionSchedule schedule;
  private final boolean timed;
  private long firstRound;
  private long windowRound;
  private String keyId;
  private long since;
  private long time;

  OpenVersion(Plan plan, VersionState from) {
    this.plan = plan;
    this.schedule = plan.learning().versions();
    this.timed = schedule.needsLogTime(plan.batch());
    this.firstRound = from.firstRound();
    this.windowRound = from.windowRound();
    this.keyId = from.keyId();
    this.since = from.since();
    this.time = from.time();
  }

  VersionState state() {
    return new VersionState(firstRound, windowRound, keyId, since, time);
  }

  /** Goes on at the log time of a checkpoint. */
  void at(long checkpointSince, long checkpointTime) {
    since = checkpointSince;
    time = checkpointTime;
  }

  /** A slot was filled by a record that was appended at a time; 0 or below where it has none. */
  void slotAt(long appended) {
    if (timed && appended > time) {
      time = appended;
      since = since == VersionState.NO_TIME ? appended : since;
    }
  }

  long firstRound() {
    return firstRound;
  }

  long windowRound() {
    return windowRound;
  }

  /** The key of its rounds, where one of them is closed; else empty. */
  String keyId() {
    return keyId;
  }

  /** A round of it has closed, under a key. */
  void closed(String roundKeyId) {
    keyId = roundKeyId;
  }

  /**
   * Whether it ends with the round that has just closed.
   *
   * @param last whether no further round may follow
   */
  boolean endsWith(long round, boolean last) {
    if (round < plan.ranges().rounds()) {
      return false; // nothing is published before the ranges are known
    }
    return last
        || round - firstRound + 1 >= plan.roundsOfVersion(firstRound)
        || timed && time - since >= schedule.interval()
        || plan.generations().within(round + 1) == 1;
  }

  /** Whether there are metrics, and their window ends with the version that ends with a round. */
  boolean endsWindow(long round, boolean last) {
    return plan.metrics() != null
        && (last || round - windowRound + 1 >= plan.metrics().window());
  }

  /** The next window begins behind a round. */
  void nextWindow(long round) {
    windowRound = round + 1;
  }

  /** The next version begins behind a round. */
  void next(long round) {
    firstRound = round + 1;
    keyId = "";
    since = time;
  }
}
