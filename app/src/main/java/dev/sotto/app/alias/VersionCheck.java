package dev.sotto.app.alias;

import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.serdes.avro.UnreadableRecordException;
import dev.sotto.serdes.record.AliasTarget;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.snapshot.PublishedModel;
import dev.sotto.serdes.snapshot.SnapshotAssembler;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.read.CommittedTopic;
import dev.sotto.topology.read.LedgerLookup;
import dev.sotto.topology.read.NewestVersions;
import dev.sotto.topology.settings.Names;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Looks a version up before an alias may name it: it must be there whole, with the digest of its
 * manifest, and with a ledger entry that confirms it.
 */
public final class VersionCheck {
  private final Map<String, String> clients;
  private final String app;

  /** Looks at what an application has published. */
  public VersionCheck(Map<String, String> clients, String app) {
    this.clients = clients;
    this.app = app;
  }

  /**
   * The newest version of a model.
   *
   * @throws SottoException where there is none, or the ledger does not confirm it
   */
  public AliasTarget newest(String model) {
    try (NewestVersions topic = new NewestVersions(clients, Names.snapshots(app))) {
      PublishedModel found = topic.of(Set.of(model)).get(model);
      if (found == null) {
        throw unknownModel(model);
      }
      return confirmed(found.manifest());
    }
  }

  /**
   * One version of a model.
   *
   * @throws SottoException where it was not published, is not kept any more, or is not the one that
   *     the ledger is about
   */
  public AliasTarget version(String model, long version) {
    try (NewestVersions topic = new NewestVersions(clients, Names.snapshots(app))) {
      PublishedModel newest = topic.of(Set.of(model)).get(model);
      if (newest == null) {
        throw unknownModel(model);
      }
      long last = newest.manifest().version();
      if (last == version) {
        return confirmed(newest.manifest());
      }
      if (last < version) {
        throw refused(model + "@" + version + " has not been published: the newest version of "
            + model + " is " + last);
      }
    }
    return confirmed(older(model, version));
  }

  /**
   * The same version as before, which must still be there.
   *
   * @throws SottoException where it is not
   */
  public AliasTarget again(AliasTarget target) {
    AliasTarget found = version(target.modelId(), target.version());
    if (!found.equals(target)) {
      throw refused(
          "version " + target + " was published by another run since: the one that was meant is"
              + " not kept any more. Choose a version of the present run");
    }
    return found;
  }

  /** A version that may lie anywhere. */
  private ModelSnapshot older(String model, long version) {
    SnapshotAssembler assembler = new SnapshotAssembler();
    TreeSet<Long> kept = new TreeSet<>();
    ModelSnapshot[] found = new ModelSnapshot[1];
    try (CommittedTopic topic = new CommittedTopic(clients, Names.snapshots(app))) {
      topic.readToEnd(record -> assembler
          .acceptAny(record.key(), record.value())
          .map(PublishedModel::manifest)
          .filter(each -> each.modelId().equals(model))
          .ifPresent(each -> {
            kept.add(each.version());
            found[0] = each.version() == version ? each : found[0];
          }));
    }
    if (found[0] == null) {
      throw refused(model + "@" + version
          + (isInLedger(model, version)
              ? " was published, but is not kept any more: topics.history.ms says for how long"
                  + " versions are kept"
              : " is no version: rounds in between are not published")
          + ". Kept are " + kept.size() + " versions of " + model + ", the nearest being "
          + nearest(kept, version));
    }
    return found[0];
  }

  private static String nearest(TreeSet<Long> kept, long version) {
    Long below = kept.floor(version);
    Long above = kept.ceiling(version);
    return below == null ? "" + above : above == null ? "" + below : below + " and " + above;
  }

  private boolean isInLedger(String model, long version) {
    boolean[] found = new boolean[1];
    try (CommittedTopic ledger = new CommittedTopic(clients, Names.ledger(app))) {
      ledger.readUntil(record -> {
        try {
          var entry = Codecs.LEDGER.decode(record.value());
          found[0] = entry.modelId().equals(model) && entry.round() == version;
        } catch (UnreadableRecordException unreadable) {
          return false; // `sotto ledger` names it
        }
        return found[0];
      });
    }
    return found[0];
  }

  private AliasTarget confirmed(ModelSnapshot manifest) {
    LedgerLookup lookup = new LedgerLookup(List.of(manifest));
    try (CommittedTopic ledger = new CommittedTopic(clients, Names.ledger(app))) {
      ledger.readToEnd(record -> lookup.accept(record.value()));
    }
    AliasTarget target = new AliasTarget(manifest.modelId(), manifest.runId(), manifest.version());
    if (!Boolean.TRUE.equals(lookup.matches(manifest.modelId()))) {
      throw refused("the ledger does not confirm " + target
          + ": no alias may name it. `sotto ledger` checks the whole chain");
    }
    return target;
  }

  private SottoException unknownModel(String model) {
    Set<String> models = new TreeSet<>();
    try (NewestVersions topic = new NewestVersions(clients, Names.snapshots(app))) {
      topic.ofPartitions().forEach(each -> models.add(each.manifest().modelId()));
    }
    return refused("topic " + Names.snapshots(app) + " holds no version of a model " + model
        + (models.isEmpty() ? "" : "; the last ones there are of " + String.join(", ", models)));
  }

  private static SottoException refused(String message) {
    return new SottoException(FailureKind.UNVERIFIED, message);
  }
}
