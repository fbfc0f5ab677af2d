package dev.sotto.topology.core;

import dev.sotto.learner.example.Slot;
import dev.sotto.learner.example.Verdict;
import dev.sotto.learner.loss.Loss;
import dev.sotto.learner.privacy.LedgerEntry;
import dev.sotto.learner.privacy.OffsetRange;
import dev.sotto.learner.release.Releaser;
import dev.sotto.learner.round.ModelLearner;
import dev.sotto.learner.round.Plan;
import dev.sotto.learner.round.Round;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.record.LearnerState;
import dev.sotto.serdes.record.ModelHead;
import dev.sotto.serdes.record.OpenCheckpoint;
import dev.sotto.serdes.record.PartitionHead;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Learns from one partition. Between the closings of rounds it holds sums on the heap only and writes nothing:
 * the log is the buffer. After every restart it reads again what lies between the position of its stored state
 * and the first record that it is given (docs/decisions/0002-the-log-is-the-buffer.md).
 *
 * <p>Promises, for any schedule of crashes, re-deliveries and restarts in which state and outputs are committed
 * together: every record fills one slot of one model, and the committed ledger and snapshots are those of an
 * undisturbed run, bit for bit. Not safe for use by several threads.
 */
public final class TrainerCore {
  /** For the models of one partition on the heap: about 48 bytes a weight each. */
  private static final long MOST_BYTES = 256L << 20;

  private final TrainerSettings settings;
  private final Plan plan;
  private final Loss loss;
  private final ModelRouting routing;
  private final EventDecoder decoder;
  private final LearnerStore store;
  private final Outbox outbox;
  private final SlotLog slotLog;
  private final Chain chain;
  private final Publisher publisher;
  private final Slot slot;
  private final long mostTracks;
  private final Map<String, ModelTrack> tracks = new HashMap<>();
  private ModelTrack lastTrack;
  private int unsavedTracks;

  private boolean warm;
  private long position;
  private long reach;
  private long firstHandedOver;
  private boolean behind;
  private boolean gap;
  private boolean leftBehind;
  private long savedPosition;
  private long origin;
  private long nullSlots;
  private long savedNullSlots;
  private long slotsSinceSave;
  private long headSequence;
  private byte[] headHash = Hashes.none();

  /** A cold trainer: nothing is read or written before the first record. */
  public TrainerCore(
      TrainerSettings settings,
      ModelRouting routing,
      EventDecoder decoder,
      StateTable heads,
      StateTable arrays,
      Outbox outbox,
      SlotLog slotLog,
      LedgerLog ledgerLog) {
    this.settings = settings;
    this.plan = settings.plan();
    this.loss = plan.loss();
    this.routing = routing;
    this.decoder = decoder;
    this.store = new LearnerStore(heads, arrays);
    this.outbox = outbox;
    this.slotLog = slotLog;
    this.chain = new Chain(ledgerLog, settings.partition());
    this.publisher = new Publisher(settings, outbox);
    this.slot = new Slot(plan.dimension());
    this.mostTracks = Math.max(4, Math.min(1024, MOST_BYTES / (48L * plan.dimension())));
    if (decoder.dimension() != plan.dimension()) {
      throw new IllegalArgumentException("the decoder must give " + plan.dimension()
          + " features, but gives " + decoder.dimension());
    }
  }

  /**
   * Compares the stored state with the settings, so that a refusal need not wait for a record; writes nothing.
   */
  public void inspect() {
    PartitionHead head = store.partitionHead();
    if (head != null) {
      checkSettings(head);
      leftBehind = head.handedTo() > head.position();
    }
  }

  /** Takes the next record of the partition. */
  public void accept(long offset, byte[] key, byte[] value, byte[] modelHeader) {
    if (!warm) {
      warmUp(offset);
    }
    reach = Math.max(reach, offset + 1);
    if (gap && position < offset && !readAgain(offset)) {
      return; // this record too is read again, when its turn comes: the position is the truth
    }
    if (offset < position) {
      return; // its slot is filled: the store is ahead of the group's offset
    }
    gap = false;
    absorb(offset, key, value, modelHeader, true);
    position = offset + 1;
    if (++slotsSinceSave >= settings.checkpointSlots()) {
      checkpoint();
    }
  }

  /** Whether records that were handed over still wait to be read again, in this life or from the one before. */
  public boolean isBehind() {
    return behind || !warm && leftBehind;
  }

  /** Reads on for a while, where it {@link #isBehind}. */
  public void goOn() {
    if (!warm && leftBehind) {
      long handedTo = store.partitionHead().handedTo();
      warmUp(handedTo); // no further record may ever come
      reach = handedTo;
    }
    if (behind) {
      readAgain(reach);
    }
  }

  /**
   * Reads up to an offset, but not for longer than a transaction bears: what has been done is written then, a commit
   * asked for, and the rest left for the next call.
   */
  private boolean readAgain(long to) {
    long deadline = System.nanoTime() + settings.slice().toNanos();
    boolean whole =
        slotLog.read(settings.partition(), position, to, (offset, key, value, header) -> {
          absorb(offset, key, value, header, offset >= firstHandedOver);
          position = offset + 1;
          slotsSinceSave++;
          return System.nanoTime() - deadline < 0;
        });
    if (whole) {
      position = to;
    }
    boolean wasBehind = behind;
    behind = !whole;
    gap = behind; // between records that are handed over in turn lie only markers and aborted ones
    if (behind || wasBehind) {
      checkpoint(); // it also says which records still have to be set aside
      outbox.commitSoon();
    }
    return whole;
  }

  private void warmUp(long offset) {
    PartitionHead head = store.partitionHead();
    LedgerEntry last = chain.open();
    if (head != null) {
      check(head, last);
      origin = head.origin();
      position = head.position();
      savedNullSlots = head.nullSlots();
      headSequence = head.ledgerSequence();
      headHash = head.ledgerHash();
      if (chain.sequence() > head.ledgerSequence()) {
        chain.expect(head.ledgerSequence() + 1, head.ledgerHash());
      }
    } else if (last != null) { // the state is lost: derive it again from where the ledger began
      origin = last.origin();
      position = origin;
      chain.expect(1, Hashes.none());
    } else { // the first record ever seen
      origin = offset;
      position = offset;
    }
    savedPosition = position;
    nullSlots = savedNullSlots;
    if (head == null) {
      store.put(head());
    }
    boolean lettersLeft = head != null && head.lettersFrom() >= 0;
    firstHandedOver = lettersLeft ? Math.min(offset, head.lettersFrom()) : offset;
    behind = lettersLeft;
    gap = true;
    reach = 0;
    warm = true;
  }

  private void checkSettings(PartitionHead head) {
    if (!head.topicId().equals(settings.topicId())) {
      throw new Refusal(
          "the source topic was deleted and made again: the state belongs to topic id "
              + head.topicId()
              + ", the topic now has id " + settings.topicId()
              + "; its records are others. Choose a new app.id, or restore the topic");
    }
    if (!head.routing().equals(settings.routing())) {
      throw new Refusal("models were told apart by " + head.routing() + ", now by "
          + settings.routing() + "; records that one model has learned would teach another. Put"
          + " model.id.source, its name and the number of partitions back, or start a new app.id whose"
          + " budget accounts for what was spent");
    }
    if (head.semantics() != Releaser.SEMANTICS) {
      throw new Refusal("the state was written by semantics version " + head.semantics()
          + ", this program has " + Releaser.SEMANTICS + "; run the version that wrote it");
    }
  }

  private void check(PartitionHead head, LedgerEntry last) {
    checkSettings(head);
    long published = last == null ? 0 : last.sequence();
    if (published < head.ledgerSequence()) {
      throw new Refusal(
          "the state is ahead of the ledger: it has paid for entry " + head.ledgerSequence()
              + ", the ledger (partition " + settings.partition() + ") ends at " + published
              + "; the ledger was truncated or made again. Restore it: without it no guarantee can be stated");
    }
    if (published == head.ledgerSequence() && !Arrays.equals(chain.hash(), head.ledgerHash())) {
      throw new Refusal(
          "the ledger's last entry (sequence " + published
              + ") is not the one that this state wrote; "
              + "another application writes to the same ledger topic. Stop it, or give this one its own topics");
    }
  }

  private void absorb(long offset, byte[] key, byte[] value, byte[] modelHeader, boolean live) {
    ModelTrack track = trackOf(key, modelHeader);
    if (track == null) {
      nullSlots++;
      if (live) {
        outbox.deadLetter(offset, key, value, Verdict.NO_MODEL);
      }
      return;
    }
    if (offset < track.savedPosition) {
      return; // a checkpoint or a close of this model has it already
    }
    if (decoder.decode(key, value, slot) == Verdict.USED) {
      ModelLearner.admit(slot, loss);
    }
    if (live && slot.verdict() != Verdict.USED) {
      outbox.deadLetter(offset, key, value, slot.verdict());
    }
    markUnsaved(track);
    if (track.learner.isExhausted()) {
      track.skipped++;
      return;
    }
    if (track.firstOffset < 0) {
      track.firstOffset = offset;
    }
    if (track.learner.fill(slot)) {
      close(track, offset + 1);
    }
  }

  private void markUnsaved(ModelTrack track) {
    if (!track.unsaved) {
      track.unsaved = true;
      unsavedTracks++;
    }
  }

  private void markSaved(ModelTrack track) {
    if (track.unsaved) {
      track.unsaved = false;
      unsavedTracks--;
    }
  }

  /** Ledger, snapshot, state, in this order; all of one transaction. */
  private void close(ModelTrack track, long to) {
    Round round = track.learner.close();
    OffsetRange range = new OffsetRange(settings.partition(), track.firstOffset, to);
    byte[] published = chain.published(track.modelId, round.number());
    if (published != null) {
      LedgerEntry entry = publisher.requireSame(published, track, round, range, origin);
      headSequence = Math.max(headSequence, entry.sequence());
      headHash = headSequence == entry.sequence() ? Hashes.sha256(published) : headHash;
      track.ledgerSequence = entry.sequence();
    } else {
      LedgerEntry entry =
          publisher.entry(track, round, range, origin, chain.sequence() + 1, chain.hash());
      chain.requireNothingLeft(track.modelId, round.number(), track.headRound);
      byte[] bytes = chain.append(entry);
      outbox.ledger(track.modelId, bytes);
      if (round.number() % settings.releaseEvery() == 0 || round.last()) {
        publisher.publish(track, round, entry, chain.hash());
      }
      headSequence = chain.sequence();
      headHash = chain.hash();
      track.ledgerSequence = headSequence;
    }
    track.firstOffset = -1;
    if (round.number() > track.headRound) {
      track.headRound = round.number();
      store.put(track.modelId, modelHead(track));
    }
    if (round.number() % settings.stateEvery() == 0 || round.last()) {
      saveState(track, to);
      markSaved(track);
    }
    saveHead(to);
  }

  /** Writes what the heap holds and the store does not; decides nothing, and bounds what a restart reads again. */
  public void checkpoint() {
    if (!warm) {
      return;
    }
    for (ModelTrack track : tracks.values()) {
      if (track.unsaved) {
        if (track.savedRound != track.learner.round()) {
          saveState(track, track.firstOffset >= 0 ? track.firstOffset : position);
        }
        boolean empty = track.learner.openSlots() == 0;
        byte[] place = place(position, track.firstOffset, track.skipped);
        store.put(
            track.modelId,
            new OpenCheckpoint(
                track.savedRound,
                position,
                track.firstOffset,
                track.skipped,
                empty ? new byte[0] : track.learner.sealOpen(place),
                new byte[0]));
        track.savedPosition = position;
        markSaved(track);
      }
    }
    saveHead(position);
  }

  private static byte[] place(long position, long firstOffset, long skipped) {
    return ByteBuffer.allocate(24)
        .putLong(position)
        .putLong(firstOffset)
        .putLong(skipped)
        .array();
  }

  private void saveState(ModelTrack track, long at) {
    store.put(track.modelId, new LearnerState(at, track.ledgerSequence, track.learner.state()));
    track.savedRound = track.learner.round();
    track.savedPosition = at;
  }

  private void saveHead(long at) {
    if (unsavedTracks == 0) {
      savedPosition = at;
      savedNullSlots = nullSlots;
      slotsSinceSave = 0;
    }
    store.put(head());
  }

  private PartitionHead head() {
    return new PartitionHead(
        savedPosition,
        origin,
        savedNullSlots,
        headSequence,
        headHash,
        settings.topicId(),
        settings.routing(),
        behind ? Math.max(position, firstHandedOver) : -1,
        behind ? reach : -1,
        Releaser.SEMANTICS);
  }

  private ModelHead modelHead(ModelTrack track) {
    return new ModelHead(
        track.learner.runId(), plan.fingerprint(), settings.key().id(), track.headRound);
  }

  private ModelTrack trackOf(byte[] key, byte[] modelHeader) {
    String modelId = routing.modelOf(key, modelHeader);
    if (modelId == null) {
      return null;
    }
    if (lastTrack != null && lastTrack.modelId.equals(modelId)) {
      return lastTrack;
    }
    ModelTrack track = tracks.get(modelId);
    if (track == null) {
      if (tracks.size() >= mostTracks) {
        checkpoint();
        tracks.clear();
      }
      track = load(modelId);
      tracks.put(modelId, track);
    }
    lastTrack = track;
    return track;
  }

  private ModelTrack load(String modelId) {
    ModelHead head = store.modelHead(modelId);
    if (head != null) {
      requireSameRun(modelId, head);
    }
    LearnerState state = store.learner(modelId);
    ModelLearner learner = state == null
        ? ModelLearner.start(plan, settings.key(), modelId, settings.label())
        : ModelLearner.resume(plan, settings.key(), modelId, settings.label(), state.release());
    ModelTrack track = new ModelTrack(modelId, learner);
    if (state != null) {
      track.savedPosition = state.position();
      track.ledgerSequence = state.ledgerSequence();
    }
    if (head != null) {
      track.headRound = head.round();
      if (head.round() > learner.round()) {
        chain.expect(track.ledgerSequence + 1, state == null ? Hashes.none() : null);
      }
    }
    chain.requireSameRun(modelId, learner.runId());
    OpenCheckpoint open = store.open(modelId);
    if (open != null && open.round() == learner.round() && open.position() >= track.savedPosition) {
      if (open.sealedSum().length > 0) {
        learner.resumeOpen(
            open.sealedSum(), place(open.position(), open.firstOffset(), open.skipped()));
      }
      track.savedPosition = open.position();
      track.firstOffset = open.firstOffset();
      track.skipped = open.skipped();
    }
    return track;
  }

  /** Before anything of the state is read: another configuration may not even have its shape. */
  private void requireSameRun(String modelId, ModelHead head) {
    byte[] runId = settings.key().runId(modelId, plan.fingerprint(), settings.label());
    if (Arrays.equals(head.runId(), runId)) {
      return;
    }
    String what = !head.keyId().equals(settings.key().id())
        ? "noise key " + head.keyId() + ", now it is " + settings.key().id()
        : !Arrays.equals(head.fingerprint(), plan.fingerprint())
            ? "configuration " + Chain.hex(head.fingerprint()) + ", now it is "
                + Chain.hex(plan.fingerprint())
            : "another run.label";
    throw new Refusal(
        "model " + modelId + " was learned under " + what + "; going on would break its guarantee. "
            + "Put the old setting back, or start a new model id whose budget accounts for what was spent");
  }
}
