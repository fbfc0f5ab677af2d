package dev.sotto.topology.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.testbroker.Cluster;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.runtime.LearnerService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** State folders that cannot be used, or not any more. */
class StateFolderIT {
  @RegisterExtension
  static Cluster cluster = Cluster.shared();

  @TempDir
  Path folder;

  private Trial trial(String app) {
    Trial trial = Trial.of(app, folder, cluster.clients());
    cluster.createTopic(trial.topic());
    return trial;
  }

  private static void unusable(Trial trial, String what) {
    SottoException failure = StartFailuresIT.failure(trial);
    assertThat(failure.kind()).isEqualTo(FailureKind.STATE_FOLDER);
    assertThat(failure).hasMessageContainingAll(trial.folder().toString(), what, "state.dir");
  }

  @Test
  void refusesAFileInPlaceOfAFolder() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "not a folder");
    unusable(trial("file").withFolder(file), "is a file, not a folder");
    unusable(trial("below").withFolder(file.resolve("state")), "Not a directory");
    assertThat(file).hasContent("not a folder");
  }

  @Test
  void refusesAFolderThatCannotBeWritten() throws Exception {
    try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), "ro")) {
      unusable(trial("read-only").withFolder(disk.folder()), "Read-only file system");
    }
  }

  @Test
  void refusesAFolderWithTooLittleSpace() throws Exception {
    try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), "size=4m")) {
      unusable(trial("little").withFolder(disk.folder()), "16 are needed");
      disk.fill();
      unusable(trial("full").withFolder(disk.folder()), "No space left on device");
    }
  }

  @Test
  void refusesAFolderThatAnotherInstanceUses() {
    Trial trial = trial("shared");
    try (LearnerService first = trial.start()) {
      Awaitility.await().until(first::isRunning);
      unusable(trial, "another instance");
      Awaitility.await().until(first::isRunning); // or again, where it was missed for a while
    }
  }

  @Test
  void losesNothingWhenTheDiskFillsUpMeanwhile() throws Exception {
    List<byte[]> events = Trial.events(24_000, 1);
    try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), "size=24m")) {
      Trial trial = trial("filled").withFolder(disk.folder());
      cluster.send(trial.topic(), events.subList(0, 400));
      try (LearnerService service = trial.start()) {
        trial.awaitRounds(service, 100);
        disk.fill();
        cluster.send(trial.topic(), events.subList(400, events.size()));
        Awaitility.await().atMost(Trial.PATIENCE.multipliedBy(2)).until(() -> {
          boolean done = trial.published().ledger().size() == events.size() / 4;
          return done || service.hasEnded();
        });
        if (service.hasEnded()) { // else it went on, which is as good
          assertThat(service.failure().kind()).isEqualTo(FailureKind.STATE_FOLDER);
          assertThat(service.failure())
              .hasMessageContainingAll("No space left on device", "state.dir");
        }
      }
      disk.makeRoom();
      trial.learnRounds(events.size() / 4);
      assertThat(trial.published().ledger())
          .extracting(LedgerEntry::snapshotDigest)
          .containsExactlyElementsOf(trial.expectedDigests(events));
    }
  }
}
