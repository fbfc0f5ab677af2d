package dev.sotto.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.training.Plan;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code unit.fields}: a record has several owners. */
class OwnersConfigTest {
  private static final String SHARED = """
      app.id: test
      bootstrap.servers: localhost:9092
      events.topic: events
      features.numeric.x: {field: x, min: -1, max: 1}
      label.field: y
      loss: logistic
      unit.from: field
      unit.fields: [sender, receiver]
      privacy:
        unit: key
        epsilon: 2
        delta: 1e-6
      noise.key.env: SOTTO_NOISE_KEY
      """;

  private static Plan plan(String yaml, String... flags) {
    return SottoConfig.load(Texts.source(yaml).withFlags(List.of(flags)))
        .learner()
        .plan();
  }

  @Test
  void costsEachOwnerWhatItCostsOne() {
    Plan shared = plan(SHARED);
    Plan single = plan(SHARED.replace("unit.fields: [sender, receiver]", "unit.field: sender"));
    assertThat(shared.unit()).isEqualTo(PrivacyUnit.OWNERS);
    assertThat(single.unit()).isEqualTo(PrivacyUnit.KEY);
    assertThat(shared.sigma()).isEqualTo(single.sigma());
    assertThat(shared.sensitivity()).isEqualTo(single.sensitivity());
    assertThat(shared.participation()).isEqualTo(single.participation());
    assertThat(shared.guarantee(1000).unit()).isEqualTo(PrivacyUnit.OWNERS);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "unit.field=sender | unit.fields | must be absent where unit.field is given",
        "unit.fields=sender | unit.fields | a list of 2 to 4 different fields",
        "unit.fields=sender,sender | unit.fields | a list of 2 to 4 different fields",
        "privacy.unit=record privacy.contribution=first-of-id | unit.fields"
            + " | must be absent unless privacy.unit is key",
        "events.labels.topic=late | unit.fields | must be absent where labels come later",
        "events.format=avro events.avro.framing=confluent events.registry.url=http://127.0.0.1:1"
            + " | unit.fields | must be absent unless events.format is json",
        "layout=rounds | privacy.unit | must be record with layout rounds",
        "privacy.unit=owners | privacy.unit | record, key",
      })
  void isRefusedWhereContentCouldDecide(String flags, String key, String message) {
    assertThatThrownBy(
            () -> plan(SHARED, Stream.of(flags.split(" (?=[a-z.]+=)")).toArray(String[]::new)))
        .hasMessageContaining(key)
        .hasMessageContaining(message);
  }
}
