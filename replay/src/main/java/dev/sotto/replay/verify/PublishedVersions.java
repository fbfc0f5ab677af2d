package dev.sotto.replay.verify;

import dev.sotto.learner.key.Sha256;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.serdes.avro.UnreadableRecordException;
import dev.sotto.serdes.snapshot.PublishedModel;
import dev.sotto.serdes.snapshot.SnapshotAssembler;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The published model versions that are still whole, each known by a hash of its bytes, and found
 * to be those that the ledger is about. Older ones are compacted away in time.
 */
final class PublishedVersions {
  private final PublishedOutputs published;
  private final PublishedLedger ledger;
  private final Map<String, TreeMap<Long, byte[]>> hashes = new HashMap<>();

  private PublishedVersions(PublishedOutputs published, PublishedLedger ledger) {
    this.published = published;
    this.ledger = ledger;
  }

  /**
   * Reads and checks what is there. To be read after the ledger: versions that are published
   * meanwhile are skipped.
   *
   * @throws SottoException (UNVERIFIED) where a record cannot be read, or a version is not that of
   *     its ledger entry
   */
  static PublishedVersions read(PublishedOutputs published, PublishedLedger ledger) {
    PublishedVersions read = new PublishedVersions(published, ledger);
    SnapshotAssembler assembler = new SnapshotAssembler();
    VersionBytes bytes = new VersionBytes();
    Map<String, Long> named = new HashMap<>();
    published.snapshots((partition, offset, key, value) -> {
      if (key == null || value == null) {
        return;
      }
      try {
        Optional<PublishedModel> model = assembler.accept(key, value);
        String name = VersionBytes.text(key);
        Optional<VersionBytes.Version> version = bytes.take(name, value);
        version.ifPresent(
            each -> named.put(each.manifest().modelId(), each.manifest().version()));
        if (model.isPresent()) {
          read.add(version.orElseThrow());
        }
      } catch (UnreadableRecordException | IllegalArgumentException unreadable) {
        throw broken("partition " + partition + ", offset " + offset + " of the snapshots: "
            + unreadable.getMessage());
      }
    });
    named.forEach((modelId, version) -> {
      if (read.newest(modelId) != version && version <= ledger.rounds(modelId)) {
        throw broken("version " + version + " of model " + modelId
            + " does not have the digest that its manifest states");
      }
    });
    return read;
  }

  private static SottoException broken(String what) {
    return new SottoException(
        FailureKind.UNVERIFIED,
        "what was published does not hold by itself, so nothing was compared with it: " + what);
  }

  private void add(VersionBytes.Version version) {
    ModelSnapshot manifest = version.manifest();
    Optional<byte[]> entry = ledger.bytes(manifest.modelId(), manifest.version());
    if (entry.isEmpty()) {
      return;
    }
    if (!Arrays.equals(manifest.ledgerHash(), Sha256.sha256(entry.get()))) {
      throw broken("version " + manifest.version() + " of model " + manifest.modelId()
          + " is not the one that its ledger entry is about");
    }
    hashes
        .computeIfAbsent(manifest.modelId(), id -> new TreeMap<>())
        .put(manifest.version(), version.hash());
  }

  private long newest(String modelId) {
    TreeMap<Long, byte[]> known = hashes.get(modelId);
    return known == null ? 0 : known.lastKey();
  }

  /** How many whole versions of a model there are, up to one. */
  int upTo(String modelId, long version) {
    return hashes.getOrDefault(modelId, new TreeMap<>()).headMap(version, true).size();
  }

  /** The hash of a version's bytes; empty where it is not there. */
  Optional<byte[]> hash(String modelId, long version) {
    return Optional.ofNullable(hashes.getOrDefault(modelId, new TreeMap<>()).get(version));
  }

  /**
   * Reads some versions again, in one pass: of each model the one of this number, where it is still
   * there.
   */
  void load(Map<String, Long> wanted, Consumer<PublishedModel> visitor) {
    if (wanted.isEmpty()) {
      return;
    }
    SnapshotAssembler assembler = new SnapshotAssembler();
    published.snapshots((partition, offset, key, value) -> assembler
        .acceptAny(key, value)
        .filter(each -> wanted.getOrDefault(each.manifest().modelId(), -1L)
            == each.manifest().version())
        .ifPresent(visitor));
  }
}
