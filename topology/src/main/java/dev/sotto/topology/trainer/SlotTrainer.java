package dev.sotto.topology.trainer;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.topology.log.Place;
import dev.sotto.topology.log.RecordFault;
import dev.sotto.topology.log.SlotDecoders;
import dev.sotto.topology.log.SourceRecord;
import dev.sotto.topology.settings.ModelRouting;
import java.util.List;

/**
 * Learns where every record of the partition fills one slot of its model, or of each candidate for
 * it. A record of no model fills none: it is counted, and set aside.
 */
public final class SlotTrainer extends PartitionTrainer {
  private final ModelRouting routing;
  private final SlotDecoders decoders;
  private String rereading; // the model whose block was the last to be read again
  private long next; // place of the slots that are taken next

  /**
   * A cold trainer: nothing is read or written before the first record.
   *
   * @param decoders of records, one for each model that learns from a slot; their labels are those
   *     that the model's objective admits
   */
  public SlotTrainer(
      TrainerSettings settings,
      ModelRouting routing,
      List<EventDecoder> decoders,
      Stores stores,
      Logs logs,
      TrainerOutput output) {
    super(settings, stores, logs, output);
    this.routing = routing;
    String events = source.isOrder() ? settings.source().eventTopicId() : settings.topicId();
    this.decoders = new SlotDecoders(settings.run().candidates(), decoders, events, source);
  }

  @Override
  long originOf(long firstPlace) {
    return firstPlace;
  }

  @Override
  long learn(SourceRecord record, boolean live) {
    next = Place.behind(record.place());
    String modelId = record.modelBy(routing);
    if (modelId == null) {
      countWithoutModel(record, RecordStatus.NO_MODEL, live);
    } else {
      learnBy(modelId, record, live);
    }
    return next;
  }

  private void learnBy(String modelId, SourceRecord record, boolean live) {
    long place = record.place();
    boolean broken = false;
    boolean version = false;
    boolean listed = isListed(modelId);
    int retired = 0;
    for (int which = 0; which < decoders.number(); which++) {
      String id = decoders.id(modelId, which);
      if (models.isRetired(id, listed, source.position())) {
        retired++;
        continue;
      }
      if (progress.isTaken(place) && rereading != null && !id.equals(rereading)) {
        continue; // another model's block is read again
      }
      CachedModel model = models.ofAtMost(most(), id, source.position());
      if (model == null) {
        countWithoutModel(record, RecordStatus.TOO_MANY_MODELS, live);
        break;
      }
      if (place < model.position) {
        continue; // a checkpoint or a close has it already, or another model reads its block again
      }
      Slot slot = decoders.read(which, record);
      if (!broken && slot.status() != RecordStatus.USED && live) {
        setAside(record, decoders.fault(which)); // once, whichever of them could not read it
      }
      broken |= slot.status() != RecordStatus.USED;
      version |= fill(model, record, slot);
    }
    if (retired == decoders.number()) {
      countWithoutModel(record, RecordStatus.RETIRED, live);
    }
    if (version) {
      progress.saveAt(Place.behind(place));
    }
  }

  private void countWithoutModel(SourceRecord record, RecordStatus status, boolean live) {
    progress.countNullSlot(record.place());
    if (live) {
      setAside(record, new RecordFault(status));
    }
  }

  private boolean isListed(String modelId) {
    return !routing.retired().isEmpty() && routing.retired().contains(modelId);
  }

  /** The state of retired models goes without waiting for a record of theirs. */
  @Override
  void begun() {
    for (String modelId : routing.retired()) {
      for (int which = 0; which < decoders.number(); which++) {
        models.isRetired(decoders.id(modelId, which), true, source.position());
      }
    }
  }

  /** Candidates for one model count as one. */
  private long most() {
    long most = routing.most();
    return most > Long.MAX_VALUE / decoders.number() ? most : most * decoders.number();
  }

  /** One model takes a slot; whether it ended a version. */
  private boolean fill(CachedModel model, SourceRecord record, Slot slot) {
    long place = record.place();
    models.markUnsaved(model);
    model.position = Place.behind(place);
    if (model.learner.isExhausted()) {
      model.skipped++;
      return false;
    }
    if (Place.isNone(model.firstPlace)) {
      model.firstPlace = place;
      if (Place.isNone(model.versionPlace)) {
        model.versionPlace = place;
        source.beginVersion(place);
      }
    }
    if (model.learner.openSlots() == 0) {
      model.queryPlace = place;
    }
    long index = model.learner.nextSlot();
    long round = model.learner.round() + 1;
    boolean full = model.learner.fill(slot, record.appended());
    settings.run().observer().filled(model.modelId, round, index, slot);
    if (full) {
      long to = Place.behind(place);
      long from = model.versionPlace;
      boolean version = close(model, (first, last) -> source.version(from, to), to);
      model.firstPlace = Place.NONE;
      source.closedBelow(() -> models.firstPlace(to));
      return version;
    }
    if (model.learner.goesBack()) {
      rereading = model.modelId;
      model.position = model.learner.nextSlot() == 0 ? model.firstPlace : model.queryPlace;
      next = model.position;
    }
    return false;
  }

  private void setAside(SourceRecord record, RecordFault fault) {
    if (fault.status().isSetAside()) {
      output.deadLetter(
          source.partitionAt(record.place()),
          source.offsetAt(record.place()),
          record.appended(),
          record.key(),
          record.value(),
          fault);
    }
  }

  @Override
  public void checkpoint() {
    if (isWarm()) {
      models.checkpoint(source.position());
      progress.saveAt(source.position());
    }
  }

  /** A large state at each piece would cost more than reading again. */
  @Override
  void savePiece() {
    if (progress.isCheckpointDue()) {
      checkpoint();
    } else {
      progress.saveAt(source.position());
    }
  }
}
