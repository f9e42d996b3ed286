"""Tests of `columns.foreign_keys`: a key that is a URL, in any spelling, wherever one is taken."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from typing import Any

import pytest
from django import forms
from django.contrib import admin
from django.contrib.admin.widgets import ForeignKeyRawIdWidget
from django.core.checks import model_checks
from django.core.exceptions import ValidationError
from django.db import IntegrityError, models, transaction
from django.db.models import F, QuerySet, prefetch_related_objects
from django.db.models.fields.related_descriptors import ForeignKeyDeferredAttribute
from django.forms import modelform_factory
from django.test.utils import isolate_apps
from pytest_django import DjangoAssertNumQueries

from django_whatwg_url.fields import CanonicalURLField, UnparsableURL
from django_whatwg_url.storage.foreign_keys import URLForeignKeyAttribute
from tests.django.servers import created
from tests.django.stored import stored_texts
from tests.django.testapp.models import Bookmark, Child, Parent, Site, Visit
from weburl import parse

A = parse("https://example.com/")
B = parse("https://b.example/")
SPELLING = "HTTPS:\\\\EXAMPLE.com:443"


@pytest.fixture
def site(db: None) -> Site:
    """Return a row whose key is a URL."""
    return Site.objects.create(url=A)


def test_the_attribute_is_a_record_whatever_was_assigned(site: Site) -> None:
    """In the constructor, later, by create() and its like, before and after saving."""
    visit = Visit(site_id=SPELLING)
    assert visit.site_id == A
    visit.save()
    assert visit.site_id == A
    assert visit.site == site
    visit.refresh_from_db()
    assert visit.site_id == A
    visit.site_id = "https://b.example"
    assert visit.site_id == B
    for nothing in ("", None):
        setattr(visit, "site_id", nothing)  # noqa: B010  # No type allows None here.
        assert visit.site_id is None
    assert Visit.objects.create(site_id=SPELLING).site_id == A
    assert Visit.objects.get_or_create(site_id=SPELLING, bookmark=None, id=77)[0].site_id == A
    (made,) = Visit.objects.bulk_create([Visit(site_id=SPELLING)])
    assert made.site_id == A
    changed, _ = Visit.objects.update_or_create(id=77, defaults={"site_id": SPELLING})
    assert changed.site_id == A
    assert set(stored_texts(Visit, "site")) == {A.href}


def test_a_key_that_is_written_again_is_no_other_key(
    site: Site, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """The other row is not fetched once more; another URL is another row."""
    other = Site.objects.create(url=B)
    visit = Visit.objects.create(site=site)
    with django_assert_num_queries(0):
        visit.site_id = SPELLING
        assert visit.site is site
    with django_assert_num_queries(1):
        visit.site_id = "HTTPS://B.example"
        assert visit.site == other


def test_rows_are_found_by_a_key_in_any_spelling(site: Site) -> None:
    """As an instance, as text, as a record; by __in, exclude() and get_or_create()."""
    visit = Visit.objects.create(site=site)
    Visit.objects.create(site=Site.objects.create(url=B))
    keys: list[Any] = [site, SPELLING, A, A.href]
    for key in keys:
        assert Visit.objects.get(site=key) == visit
        assert Visit.objects.get(site__in=[key]) == visit
        assert Visit.objects.exclude(site=key).get().site_id == B
        assert Visit.objects.filter(site__in=[key, "https://b.example"]).count() == 2
    for text in keys[1:]:
        assert Visit.objects.get(site_id=text) == visit
        assert Visit.objects.get(site_id__in=[text]) == visit
        assert Visit.objects.get(site__pk=text) == visit
        assert Visit.objects.get_or_create(site_id=text) == (visit, False)
        assert Site.objects.in_bulk([text]) == {A: site}
        assert Visit.objects.filter(site_id=text).update(site_id="HTTPS://EXAMPLE.COM") == 1
    assert Visit.objects.values_list("site", flat=True).get(pk=visit.pk) == A
    assert Visit.objects.get(site=F("site__url"), site_id=A) == visit


def test_rows_that_were_just_made_are_joined_with_what_they_point_at(
    site: Site, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """prefetch_related_objects() compares attributes, so text beside records would find nothing."""
    visits = [Visit(site_id=SPELLING), Visit(site_id="https://example.com")]
    Visit.objects.bulk_create(visits)
    prefetch_related_objects(visits, "site")
    with django_assert_num_queries(0):
        assert [visit.site for visit in visits] == [site, site]
    assert Visit.objects.filter(site=visits[0].site).count() == 2
    (found,) = Site.objects.prefetch_related("visit_set")
    with django_assert_num_queries(0):
        assert {visit.site_id for visit in found.visit_set.all()} == {A}
    (selected, _) = Visit.objects.select_related("site")
    with django_assert_num_queries(0):
        assert selected.site.url == selected.site_id == A


def test_bulk_update_and_deferred_columns(site: Site) -> None:
    """What is not loaded is fetched as a record; what is changed is stored in canonical form."""
    Site.objects.create(url=B)
    visit = Visit.objects.create(site=site)
    deferred = Visit.objects.defer("site").get()
    assert "site_id" in deferred.get_deferred_fields()
    assert deferred.site_id == A
    visit.site_id = "HTTPS://B.example"
    Visit.objects.bulk_update([visit], ["site"])
    assert stored_texts(Visit, "site") == [B.href]
    visit.site_id = SPELLING
    visit.save(update_fields=["site"])
    assert stored_texts(Visit, "site") == [A.href]


def test_a_key_to_a_column_that_is_not_the_primary_one(db: None) -> None:
    """By to_field."""
    bookmark = Bookmark.objects.create(url=A)
    site = Site.objects.create(url=B)
    visit = Visit.objects.create(site=site, bookmark_id=SPELLING)
    assert visit.bookmark_id == A
    assert visit.bookmark == bookmark
    visit.bookmark = None
    assert visit.bookmark_id is None


def test_an_expression_is_left_to_the_database(site: Site) -> None:
    """And what it gave is a record after it was read."""
    Bookmark.objects.create(url=A)
    visit = Visit.objects.create(site=site)
    expression: Any = F("site_id")
    visit.bookmark_id = expression
    assert isinstance(visit.bookmark_id, F)
    visit.save()
    visit.refresh_from_db()
    assert visit.bookmark_id == A


def test_text_that_is_no_url_is_refused_where_it_is_stored(site: Site) -> None:
    """As a URL field refuses it: assigned without an error, and then by validation and save()."""
    bad: Any = "https://me:secret@exa mple.com"
    visit = Visit(site_id=bad)
    assert isinstance(visit.site_id, UnparsableURL)
    for store in (visit.full_clean, visit.save, lambda: Visit.objects.bulk_create([visit])):
        with pytest.raises(ValidationError) as caught, transaction.atomic():
            store()
        assert "secret" not in str(caught.value)
    with pytest.raises(ValidationError):
        Visit.objects.filter(site_id=bad)
    assert Visit.objects.count() == 0


def test_validation_asks_whether_there_is_such_a_row(site: Site) -> None:
    """In any spelling; the error names the key."""
    Visit(site_id=SPELLING).full_clean(exclude=["bookmark"])
    with pytest.raises(ValidationError) as caught:
        Visit(site_id="https://nowhere.example").full_clean(exclude=["bookmark"])
    assert caught.value.error_dict["site"][0].code == "invalid"


@pytest.mark.django_db(transaction=True)
def test_the_database_refuses_a_key_that_is_not_there() -> None:
    """Nothing of that is this package's."""
    with pytest.raises(IntegrityError):
        Visit.objects.create(site_id=SPELLING)


def test_instances_are_copied_and_pickled_with_their_keys(site: Site) -> None:
    """The attribute is a plain value in the instance."""
    visit = Visit.objects.create(site_id=SPELLING)
    assert copy.deepcopy(visit).site_id == pickle.loads(pickle.dumps(visit)).site_id == A


def test_forms_take_a_key_in_any_spelling(site: Site) -> None:
    """A select, whose choices are canonical, a raw text, and what has not changed."""
    form_class = modelform_factory(Visit, fields=["site"])
    form = form_class({"site": SPELLING})
    assert form.is_valid(), form.errors
    visit = form.save()
    assert visit.site_id == A
    assert f'value="{A.href}" selected' in str(form_class(instance=visit)["site"])
    assert not form_class({"site": A.href}, instance=visit).has_changed()
    refused = form_class({"site": "nope"})
    assert not refused.is_valid()
    assert list(refused.errors) == ["site"]
    field = forms.ModelChoiceField(Site.objects.all())
    assert field.to_python(SPELLING) == site
    assert field.clean(A) == site
    several = forms.ModelMultipleChoiceField(Site.objects.all())
    assert several.clean([A.href]).get() == site
    with pytest.raises(ValidationError, match="not one of the available choices"):
        several.clean([SPELLING])


def test_the_raw_id_of_the_admin_takes_a_key_in_any_spelling(site: Site) -> None:
    """It shows the row that is meant, and nothing for text that is no URL."""
    relation = Visit._meta.get_field("site").remote_field
    widget = ForeignKeyRawIdWidget(relation, admin.site)
    label, _address = widget.label_and_url_for_value(SPELLING)
    assert label == str(site)
    assert widget.label_and_url_for_value("nope") == ("", "")
    form_class = modelform_factory(Visit, fields=["site"], widgets={"site": widget})
    form = form_class({"site": SPELLING})
    assert form.is_valid(), form.errors
    assert form.save().site_id == A
    assert f'value="{A.href}"' in str(form_class(instance=Visit(site_id=SPELLING))["site"])


def test_a_child_by_multi_table_inheritance_has_a_number(db: None) -> None:
    """Its link to the parent stays as it is: no URL is the key."""
    assert type(vars(Child)["parent_ptr_id"]) is ForeignKeyDeferredAttribute
    child = Child.objects.create(url=A)
    assert Parent.objects.get().pk == child.parent_ptr_id


class Keys:
    """The models of `keys`."""

    def __init__(self) -> None:
        class Early(models.Model):
            """A model that comes before what it points at."""

            place: Any = models.ForeignKey("Place", on_delete=models.CASCADE)
            special: Any = models.ForeignKey("Special", null=True, on_delete=models.CASCADE)
            mirror: Any = models.ForeignKey(
                "Place", to_field="mirror", null=True, related_name="+", on_delete=models.CASCADE
            )

            class Meta:
                app_label = "testapp"

        class Place(models.Model):
            """A URL as the key, and one that a constraint makes unique."""

            url = CanonicalURLField(primary_key=True, max_length=200)
            mirror = CanonicalURLField(null=True, max_length=200)
            parent: Any = models.ForeignKey("self", null=True, on_delete=models.CASCADE)
            links: Any = models.ManyToManyField("self", symmetrical=False)

            class Meta:
                app_label = "testapp"
                constraints = (models.UniqueConstraint(fields=["mirror"], name="one_mirror"),)

        class Special(Place):
            """A child, whose key is its parent's."""

            class Meta:
                app_label = "testapp"

        class Tag(models.Model):
            """What has many places, with a model between and without one."""

            name = models.CharField(max_length=20, primary_key=True)
            places: Any = models.ManyToManyField(Place)
            ranked: Any = models.ManyToManyField(Place, through="Rank", related_name="ranked_by")

            class Meta:
                app_label = "testapp"

        class Rank(models.Model):
            """The model between."""

            tag = models.ForeignKey(Tag, on_delete=models.CASCADE)
            place = models.ForeignKey(Place, on_delete=models.CASCADE)
            number = models.IntegerField(default=0)

            class Meta:
                app_label = "testapp"

        class Owner(models.Model):
            """A one-to-one that is the key itself, and what points at it."""

            place = models.OneToOneField(Place, primary_key=True, on_delete=models.CASCADE)

            class Meta:
                app_label = "testapp"

        class Pet(models.Model):
            """A key of a key."""

            owner = models.ForeignKey(Owner, on_delete=models.CASCADE)

            class Meta:
                app_label = "testapp"

        self.early, self.place, self.special = Early, Place, Special
        self.tag, self.rank, self.owner, self.pet = Tag, Rank, Owner, Pet


@pytest.fixture
def keys(transactional_db: None) -> Iterator[Any]:
    """Return models that point at a URL in every way, with their tables."""
    with isolate_apps("tests.django.testapp"):
        found: Any = Keys()
        order = ("place", "special", "tag", "rank", "owner", "pet", "early")
        with created(*(getattr(found, name) for name in order)):
            found.rows = {
                "a": found.place.objects.create(url=A),
                "b": found.place.objects.create(url=B),
            }
            yield found


def test_every_way_to_point_at_a_url_converts(keys: Any) -> None:
    """By name and by class, before the model and after it, through keys of keys, and within."""
    found = [
        (keys.early, "place_id"),
        (keys.early, "special_id"),
        (keys.early, "mirror_id"),
        (keys.place, "parent_id"),
        (keys.place.links.through, "from_place_id"),
        (keys.place.links.through, "to_place_id"),
        (keys.special, "place_ptr_id"),
        (keys.tag.places.through, "place_id"),
        (keys.rank, "place_id"),
        (keys.owner, "place_id"),
        (keys.pet, "owner_id"),
    ]
    for model, name in found:
        assert isinstance(vars(model)[name], URLForeignKeyAttribute), name
        assert getattr(model(**{name: SPELLING}), name) == A
    for model, name in ((keys.rank, "tag_id"), (keys.tag.places.through, "tag_id")):
        assert type(vars(model)[name]) is ForeignKeyDeferredAttribute


def test_a_one_to_one_finds_its_way_back(
    keys: Any, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """From an instance that was made of text, to the row and back; also as a key of a key."""
    place = keys.rows["a"]
    owner = keys.owner.objects.create(place_id=SPELLING)
    assert owner.pk == A
    prefetch_related_objects([owner], "place")
    with django_assert_num_queries(0):
        assert owner.place == place
    assert owner.place.owner == owner
    pet = keys.pet.objects.create(owner_id=SPELLING)
    assert pet.owner_id == A
    assert pet.owner == owner
    assert keys.pet.objects.get(owner="https:example.com") == pet
    assert keys.pet.objects.get(owner__place=SPELLING) == pet
    assert keys.pet.objects.get(owner__place__url__host="EXAMPLE.com") == pet


def test_a_child_has_its_parents_key(keys: Any) -> None:
    """Whichever of the two was given."""
    text = "HTTPS://C.example"
    special = keys.special.objects.create(url=text)
    assert special.pk == special.place_ptr_id == special.url == parse(text)
    assert keys.special.objects.get(pk=text) == special
    early = keys.early.objects.create(place_id=SPELLING, special_id=text)
    assert early.special == special
    made = keys.special(place_ptr_id=SPELLING)
    made.save_base(raw=True)
    assert keys.special.objects.get(place_ptr=A).url == A


def test_a_many_to_many_takes_keys_in_any_spelling(keys: Any) -> None:
    """add(), remove(), set() and filters, from either side, and prefetched."""
    place = keys.rows["a"]
    tag = keys.tag.objects.create(name="t")
    tag.places.add(SPELLING)
    tag.places.add("https://example.com", place, "https://b.example")
    assert {row.pk for row in tag.places.all()} == {A, B}
    assert keys.tag.objects.filter(places=SPELLING).get() == tag
    assert keys.tag.objects.filter(places__in=[SPELLING, B]).distinct().get() == tag
    (prefetched,) = keys.tag.objects.prefetch_related("places")
    assert {row.pk for row in prefetched.places.all()} == {A, B}
    (again,) = keys.place.objects.filter(pk=SPELLING).prefetch_related("tag_set")
    assert [row.name for row in again.tag_set.all()] == ["t"]
    tag.places.remove("HTTPS://b.example")
    assert [row.pk for row in tag.places.all()] == [A]
    tag.places.set([keys.rows["a"]])
    assert [row.pk for row in tag.places.all()] == [A]
    place.links.add("HTTPS://B.example")
    assert place.links.get().pk == B


def test_set_with_text_makes_the_rows_between_again(keys: Any) -> None:
    """Django compares what was given with the keys there are: give it the rows themselves."""
    tag = keys.tag.objects.create(name="t")
    through = tag.places.through
    tag.places.add(SPELLING)
    before = through.objects.get().pk
    tag.places.set([keys.rows["a"]])
    assert through.objects.get().pk == before
    for text in (SPELLING, A.href, A):
        tag.places.set([text])
        row = through.objects.get()
        assert row.place_id == A
        assert row.pk != before
        before = row.pk


def test_a_model_between_is_a_model_like_others(keys: Any) -> None:
    """Its keys are given as text."""
    tag = keys.tag.objects.create(name="t")
    rank = keys.rank.objects.create(tag=tag, place_id=SPELLING)
    assert rank.place_id == A
    assert rank.place == keys.rows["a"]
    assert tag.ranked.get(rank__place="https:example.com") == keys.rows["a"]
    assert keys.rank.objects.get_or_create(tag=tag, place_id=SPELLING) == (rank, False)
    tag.ranked.add("HTTPS://b.example", through_defaults={"number": 2})
    assert keys.rank.objects.get(number=2).place_id == B


def test_rows_are_deleted_with_what_they_point_at(keys: Any) -> None:
    """By Django, which compares keys."""
    keys.rank.objects.create(tag=keys.tag.objects.create(name="t"), place_id=SPELLING)
    keys.owner.objects.create(place_id=SPELLING)
    keys.early.objects.create(place_id=SPELLING)
    keys.place.objects.get(pk=SPELLING).delete()
    for model in (keys.rank, keys.owner, keys.early):
        assert QuerySet(model).count() == 0


def test_an_attribute_that_a_project_wrote_stays(db: None) -> None:
    """Its author may have had reasons."""

    class Own(ForeignKeyDeferredAttribute):
        """An attribute of a project's."""

    class OwnForeignKey(models.ForeignKey[Any, Any]):
        """A foreign key of a project's."""

        descriptor_class = Own

    with isolate_apps("tests.django.testapp"):

        class Pointing(models.Model):
            """A foreign key of its own kind."""

            site = OwnForeignKey(Site, on_delete=models.CASCADE)

            class Meta:
                app_label = "testapp"

        assert type(vars(Pointing)["site_id"]) is Own


def test_a_name_that_is_no_model_is_reported_by_django_alone() -> None:
    """Nothing waits for it."""
    with isolate_apps("tests.django.testapp") as apps:

        class Lost(models.Model):
            """A foreign key that leads nowhere, and one to a field that is not there."""

            url = CanonicalURLField(unique=True)
            nowhere: Any = models.ForeignKey("testapp.Nowhere", on_delete=models.CASCADE)
            nothing: Any = models.ForeignKey("self", to_field="no", on_delete=models.CASCADE)

            class Meta:
                app_label = "testapp"

        assert type(vars(Lost)["nowhere_id"]) is ForeignKeyDeferredAttribute
        assert type(vars(Lost)["nothing_id"]) is ForeignKeyDeferredAttribute
        references: Any = vars(model_checks)["_check_lazy_references"]
        assert [error.id for error in references(apps)] == ["fields.E307"]
