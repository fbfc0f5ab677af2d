package dev.sotto.topology;

import dev.sotto.serdes.record.RoundCodecs;
import dev.sotto.serdes.record.RoundGenesis;
import dev.sotto.topology.core.Refusal;
import dev.sotto.topology.read.CommittedTopic;
import java.util.Map;
import java.util.Optional;

/** How a model over rounds began, as the control topic tells. */
public final class StoredGenesis {
  private StoredGenesis() {}

  /**
   * Reads it; it is the first record of every control partition.
   *
   * @param clients Kafka client settings
   * @return empty where the model has not begun
   * @throws StartFailure where the topic is missing, cannot be read, or was written under another encryption
   */
  public static Optional<RoundGenesis> read(Map<String, ?> clients, LearnerSettings settings) {
    RoundGenesis[] first = new RoundGenesis[1];
    try (CommittedTopic control = new CommittedTopic(clients, Names.control(settings.app()))) {
      control.readUntil(record -> {
        if (ControlRecords.isGenesis(record.key())) {
          first[0] = RoundCodecs.GENESIS.decode(settings.controlCipher().open(record.value()));
        }
        return first[0] != null;
      });
    } catch (Refusal refusal) { // encrypted otherwise, or not at all
      throw new StartFailure(ExitCode.REFUSED, refusal.getMessage(), refusal);
    }
    return Optional.ofNullable(first[0]);
  }
}
