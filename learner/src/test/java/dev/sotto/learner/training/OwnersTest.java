package dev.sotto.learner.training;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.key.UnitPseudonyms;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.participation.Admission;
import dev.sotto.learner.participation.AdmissionRules;
import dev.sotto.learner.participation.ContributionBound;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.participation.UnitHistories;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Records of two persons, each of three, in every schedule of six records in three rounds: what a
 * person may give is bounded as if all records were of one, and what a record holds decides nobody's
 * later slots.
 */
class OwnersTest {
  private static final int PERSONS = 3;
  private static final int RECORDS = 6;
  private static final int PAIRS = PERSONS * PERSONS;
  private static final int SCHEDULES = (int) Math.pow(PAIRS, RECORDS);
  private static final int MOST = 2;
  private static final Admission RULE =
      AdmissionRules.scheduled(new ContributionBound(MOST, 1), GenerationSchedule.NONE);

  private final UnitPseudonyms names = new UnitPseudonyms(NoiseKey.of(new byte[32]), new byte[16]);
  private final Slot slot = new Slot(1);

  private static final class Histories implements UnitHistories {
    private final Map<ByteBuffer, byte[]> all = new HashMap<>();

    @Override
    public byte[] get(byte[] name) {
      return all.get(ByteBuffer.wrap(name));
    }

    @Override
    public void put(byte[] name, byte[] history) {
      all.put(ByteBuffer.wrap(name), history);
    }
  }

  private static int owner(int pair, int which) {
    return which == 0 ? pair / PERSONS : pair % PERSONS;
  }

  /**
   * Which records of a schedule are added up, as bits.
   *
   * @param unusable records that cannot be learned from, as bits
   */
  private int admitted(int schedule, int unusable) {
    UnitAdmission admission = new UnitAdmission(RULE, names, new Histories());
    int used = 0;
    for (int i = 0, rest = schedule; i < RECORDS; i++, rest /= PAIRS) {
      slot.clear();
      for (int which = 0; which < 2; which++) {
        slot.owner(new byte[] {(byte) ('a' + owner(rest % PAIRS, which))}, 0, 1);
      }
      slot.status((unusable >> i & 1) == 1 ? RecordStatus.WRONG_TYPE : RecordStatus.USED);
      admission.admit(slot, 1 + i / 2);
      used |= slot.status() == RecordStatus.USED ? 1 << i : 0;
    }
    return used;
  }

  private static boolean owns(int schedule, int record, int person) {
    int pair = schedule / (int) Math.pow(PAIRS, record) % PAIRS;
    return owner(pair, 0) == person || owner(pair, 1) == person;
  }

  @Test
  void boundsEachOwnerAsIfAllRecordsWereOfOne() {
    int most = 0;
    for (int schedule = 0; schedule < SCHEDULES; schedule += 35) { // 35 and 9 share no factor
      int used = admitted(schedule, 0);
      for (int person = 0; person < PERSONS; person++) {
        int all = 0;
        for (int round = 0; round < RECORDS / 2; round++) {
          int here = 0;
          for (int i = 2 * round; i < 2 * round + 2; i++) {
            here += (used >> i & 1) == 1 && owns(schedule, i, person) ? 1 : 0;
          }
          assertThat(here).as("of one round").isLessThanOrEqualTo(1);
          all += here;
        }
        assertThat(all).isLessThanOrEqualTo(MOST);
        most = Math.max(most, all);
      }
    }
    assertThat(most).as("the bound is reached").isEqualTo(MOST);
  }

  /** The contents of one person's records are others: their slots alone differ. */
  @Test
  void noContentDecidesAnothersSlot() {
    int differences = 0;
    for (int schedule = 0; schedule < SCHEDULES; schedule += 637) {
      int used = admitted(schedule, 0);
      for (int unusable = 1; unusable < 1 << RECORDS; unusable++) {
        int now = admitted(schedule, unusable);
        assertThat(now).isEqualTo(used & ~unusable);
        differences += now == used ? 0 : 1;
      }
    }
    assertThat(differences).isPositive();
  }

  /** The twin, of single units: a record that cannot be learned from is not charged. */
  @Test
  void aUnitOfItsOwnIsNotChargedForWhatIsNotUsed() {
    UnitAdmission admission = new UnitAdmission(RULE, names, new Histories());
    for (int round = 1; round <= 4; round++) {
      slot.clear();
      slot.unit(new byte[] {'a'}, 0, 1);
      slot.status(round == 1 ? RecordStatus.WRONG_TYPE : RecordStatus.USED);
      admission.admit(slot, round);
      assertThat(slot.status())
          .isEqualTo(
              round == 1
                  ? RecordStatus.WRONG_TYPE
                  : round < 4 ? RecordStatus.USED : RecordStatus.NOT_ADMITTED);
    }
  }

  @Test
  void whoWritesToHimselfIsChargedOnce() {
    UnitAdmission admission = new UnitAdmission(RULE, names, new Histories());
    for (int round = 1; round <= MOST + 1; round++) {
      slot.clear();
      slot.owner(new byte[] {'a'}, 0, 1);
      slot.owner(new byte[] {'a'}, 0, 1);
      slot.status(RecordStatus.USED);
      assertThat(admission.admit(slot, round)).isEqualTo(round == 1);
      assertThat(slot.status())
          .isEqualTo(round <= MOST ? RecordStatus.USED : RecordStatus.NOT_ADMITTED);
    }
  }

  /** Whoever counts units counts those that are admitted for the first time. */
  @Test
  void saysWhetherItIsTheFirstOfItsUnit() {
    UnitAdmission admission = new UnitAdmission(RULE, names, new Histories());
    slot.clear();
    slot.status(RecordStatus.WRONG_TYPE);
    assertThat(admission.admit(slot, 1)).isFalse();
    slot.clear();
    slot.status(RecordStatus.USED);
    assertThat(admission.admit(slot, 1)).as("of no unit").isFalse();
    assertThat(slot.status()).isEqualTo(RecordStatus.NO_UNIT);
    for (int round = 1; round <= MOST + 1; round++) {
      slot.clear();
      slot.unit(new byte[] {'a'}, 0, 1);
      slot.status(RecordStatus.USED);
      assertThat(admission.admit(slot, round)).isEqualTo(round == 1);
    }
    assertThat(slot.status()).isEqualTo(RecordStatus.NOT_ADMITTED);
    Admission once = AdmissionRules.scheduled(new ContributionBound(1, 9), GenerationSchedule.NONE);
    UnitAdmission never = new UnitAdmission(once, names, new Histories());
    for (int i = 0; i < 2; i++) {
      slot.clear();
      slot.unit(new byte[] {'b'}, 0, 0); // an empty name is one, too
      slot.status(RecordStatus.USED);
      assertThat(never.admit(slot, 1)).isEqualTo(i == 0);
    }
  }

  /** By a learner, too: the second record of one round is not admitted, whatever the first held. */
  @Test
  void chargesOwnersOfWhatCannotBeLearnedFrom() {
    Plan plan = TestPlans.plan(b -> {
      b.unit = PrivacyUnit.OWNERS;
      b.mechanism = Mechanisms.BLT.make();
      b.participation = new Participation.Scheduled(new ContributionBound(1, 1));
    });
    for (RecordStatus status : new RecordStatus[] {RecordStatus.USED, RecordStatus.WRONG_TYPE}) {
      ModelLearner learner =
          ModelLearner.start(plan, NoiseKey.of(new byte[32]), "model", "label", new Histories());
      for (int i = 0; i < 2; i++) {
        Slot owned = Streams.used(1, 1, 2);
        owned.owner(new byte[] {'a'}, 0, 1);
        owned.status(i == 0 ? status : RecordStatus.USED);
        learner.fill(owned);
        assertThat(owned.status()).isEqualTo(i == 0 ? status : RecordStatus.NOT_ADMITTED);
      }
    }
  }
}
