package dev.sotto.topology.trainer;

import dev.sotto.topology.log.Place;

/**
 * What a trainer has taken, and how much of it is stored: decides how far the head may say that it
 * has come. Not safe for use by several threads.
 */
final class TrainerProgress {
  private final TrainerHead head;
  private final ModelCache models;
  private final TrainerSource source;
  private final long checkpointSlots;
  private long seen; // place behind the last slot that was ever taken
  private long nullSlots; // without a model
  private long sinceSave; // slots
  private boolean unsavedVersion; // one was published that is not in the stored state
  private boolean learning; // the head is written behind it, since it says what is left
  private boolean headDue;

  TrainerProgress(
      TrainerHead head, ModelCache models, TrainerSource source, TrainerSettings settings) {
    this.head = head;
    this.models = models;
    this.source = source;
    this.checkpointSlots = settings.checkpointSlots();
  }

  /** Goes on where the head says. */
  void start() {
    seen = head.position();
    nullSlots = head.nullSlots();
  }

  /** Slots are taken from now on: the head is written behind them. */
  void begin() {
    learning = true;
    headDue = false;
  }

  /** No more are taken for now; whether the head is to be written. */
  boolean end() {
    learning = false;
    return headDue;
  }

  /** A slot has been taken. */
  void took(long place) {
    seen = Math.max(seen, Place.behind(place));
    sinceSave++;
  }

  /** Whether a slot has been taken before, by this life of the trainer. */
  boolean isTaken(long place) {
    return place < seen;
  }

  /** A slot without a model; one that is read again has been counted. */
  void countNullSlot(long place) {
    if (place >= seen) {
      nullSlots++;
    }
  }

  /** A version was published that is not in the stored state. */
  void published() {
    unsavedVersion = true;
  }

  /** Whether a start would read slots again of which a version was published. */
  boolean isUnsaved() {
    return unsavedVersion;
  }

  boolean isCheckpointDue() {
    return sinceSave >= checkpointSlots;
  }

  /** The first place that an open block reads again, or behind which nothing has been taken. */
  long firstNeeded(long position) {
    return Math.min(models.firstPlace(position), position);
  }

  /** Writes the head; its position moves where no model holds anything that the store does not. */
  void saveAt(long position) {
    if (models.allSaved()) {
      head.moveTo(position, nullSlots);
      sinceSave = 0;
      unsavedVersion = false;
      if (source.isOrder() && !models.isEmpty()) {
        head.moveOrderTo(source.placeAt(firstNeeded(position), models.anyInVersion()));
      }
    }
    save();
  }

  /** Writes the head at the position that was saved last. */
  void save() {
    if (learning) {
      headDue = true;
    } else {
      head.write(source.isBehind(), seen);
    }
  }
}
